/** An earlier choice in the search. */
export type Recent = { readonly title: string; readonly detail: string; readonly path: string }

const recentMax = 6
const keyOf = (personId: string) => `makola.desk-recent.${personId}`

/** The person's last choices in this browser, the newest first. */
export function readRecent(personId: string): readonly Recent[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(personId)) ?? '[]')
    return Array.isArray(kept) ? (kept as Recent[]) : []
  } catch {
    return []
  }
}

export function keepRecent(personId: string, chosen: Recent): void {
  const others = readRecent(personId).filter(({ path }) => path !== chosen.path)
  localStorage.setItem(keyOf(personId), JSON.stringify([chosen, ...others].slice(0, recentMax)))
}
