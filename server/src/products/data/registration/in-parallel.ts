/** Runs `work` over all values, at most `atOnce` at a time, and returns the results in their order. */
export async function inParallel<T, R>(values: readonly T[], atOnce: number, work: (value: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  let next = 0
  async function takeTurns(): Promise<void> {
    for (let index = next++; index < values.length; index = next++) results[index] = await work(values[index] as T)
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, values.length) }, takeTurns))
  return results
}
