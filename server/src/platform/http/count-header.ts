/**
 * Counts how often a header was sent. Node keeps only one of several; the raw list (name, value, name, value …) has all of
 * them.
 */
export function countHeader(rawHeaders: readonly string[], name: string): number {
  let count = 0
  for (let place = 0; place < rawHeaders.length; place += 2) {
    const sent = rawHeaders[place] ?? ''
    if (sent.length === name.length && sent.toLowerCase() === name) count += 1
  }
  return count
}
