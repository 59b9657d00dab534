import type { ReactNode } from 'react'

type Props = {
  /** The drawing in words, for screen readers. */
  readonly label: string
  readonly className: string | undefined
  readonly width: number
  readonly height: number
  readonly children: ReactNode
}

/** An SVG drawing that stretches to the width of its container. */
export function Drawing({ label, width, height, className, children }: Props) {
  return (
    <svg className={className} viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" role="img" aria-label={label}>
      {children}
    </svg>
  )
}
