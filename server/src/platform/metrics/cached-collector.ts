/** Whoever asks often shares one look at the database. */
const freshMilliseconds = 10_000

/**
 * Makes a collector that looks at most every ten seconds, and once at a time, however many ask.
 *
 * @param onFailure what to do with gauges that could not be read, such as leaving them out
 */
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
