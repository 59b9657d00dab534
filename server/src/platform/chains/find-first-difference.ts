const nameOf = (mark: string) => mark.slice(0, mark.lastIndexOf(' '))

/** A row that is not as it was sealed. */
export type RowDifference = { readonly what: 'row altered' | 'row missing' | 'row added'; readonly row: string }

/**
 * Compares the sealed rows with the present ones, both in order, and names the first row that differs.
 * @param sealed a mark per row: its name, a blank, the beginning of its hash
 */
export function findFirstDifference(sealed: readonly string[], present: readonly string[]): RowDifference | undefined {
  const presentNames = new Set(present.map(nameOf))
  for (let index = 0; index < Math.max(sealed.length, present.length); index += 1) {
    const [was, is] = [sealed[index], present[index]]
    if (was === is) continue
    if (was !== undefined && is !== undefined && nameOf(was) === nameOf(is)) return { what: 'row altered', row: nameOf(was) }
    if (was !== undefined && !presentNames.has(nameOf(was))) return { what: 'row missing', row: nameOf(was) }
    if (is !== undefined) return { what: 'row added', row: nameOf(is) }
  }
  return undefined
}
