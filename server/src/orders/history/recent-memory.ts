/** Entries are remembered for this long, and at most this many. */
const rememberedMilliseconds = 600_000
const rememberedMax = 20_000

/**
 * On a new server only the entries of this time before the newest one are compared. The mark of history, moved once a second,
 * proves older ones. The extra time is for a mark that came late.
 */
const comparedMilliseconds = 5_000

/** The orders or sends of the last minutes that the database confirmed to this process. */
export type RecentMemory<T> = {
  add(key: string, value: T): void
  all(): { readonly value: T; readonly at: Date }[]
  /**
   * The entries of the last seconds before the newest one. Nothing is added while the database does not answer, so they are the
   * last ones that it confirmed before it stopped answering.
   */
  newest(): T[]
}

export function createRecentMemory<T>(): RecentMemory<T> {
  const remembered = new Map<string, { readonly value: T; readonly at: number }>()
  let lastAt = Number.NEGATIVE_INFINITY
  return {
    add(key, value) {
      lastAt = performance.now()
      remembered.set(key, { value, at: lastAt })
      for (const [oldest, { at }] of remembered) {
        if (remembered.size <= rememberedMax && at >= lastAt - rememberedMilliseconds) return
        remembered.delete(oldest)
      }
    },
    all() {
      const now = performance.now()
      return [...remembered.values()].map(({ value, at }) => ({ value, at: new Date(Date.now() - (now - at)) }))
    },
    newest: () => [...remembered.values()].flatMap(({ value, at }) => (at >= lastAt - comparedMilliseconds ? [value] : [])),
  }
}
