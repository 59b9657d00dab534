/**
 * The smallest id that is made at a moment: the first 48 bits of a UUIDv7 are the time in milliseconds (RFC 9562,
 * section 5.7). Ids are made by our own clocks, times are the database's; the caller allows for what they differ by.
 */
export function firstIdAt(milliseconds: number): string {
  const hex = Math.max(0, milliseconds).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`
}
