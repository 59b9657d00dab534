/** The M of Makola, as on the documentation site. */
export function Logo({ size = 32 }: { readonly size?: number }) {
  return (
    <svg viewBox="0 0 32 32" width={size} height={size} aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="#0c6b4f" />
      <path
        d="M6 23V11l5 6 5-6 5 6 5-6v12"
        fill="none"
        stroke="#f5c542"
        strokeWidth="3.2"
        strokeLinejoin="round"
        strokeLinecap="round"
      />
    </svg>
  )
}
