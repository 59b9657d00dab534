/** Within this time, all readers get the result of one read of the database. */
const freshMilliseconds = 10_000

/** Makes a collector that reads the database at most every ten seconds, and once at a time, however many readers ask. */
export function cachedCollector(look: () => Promise<void>, onFailure: (error: unknown) => void): () => Promise<void> {
  let running: Promise<void> | undefined
  let lookedAt = -Infinity
  return () => {
    if (performance.now() - lookedAt < freshMilliseconds) return running ?? Promise.resolve()
    lookedAt = performance.now()
    running = look()
      .catch(onFailure)
      .finally(() => {
        running = undefined
      })
    return running
  }
}
