/**
 * The smallest id of a moment: the first 48 bits of a UUIDv7 are the time in milliseconds (RFC 9562, section 5.7). The time in
 * an id is from the clock of one of our processes, other times are from the database's clock: the caller must allow for the
 * difference.
 */
export function firstIdAt(milliseconds: number): string {
  const hex = Math.max(0, milliseconds).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`
}

/** The time of a UUIDv7, in milliseconds since 1970. */
export const momentOfId = (id: string) => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)
