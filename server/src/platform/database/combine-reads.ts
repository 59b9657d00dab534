/** Keys in one read at most; what waits beyond them goes into the next one. */
const keysMax = 500

/** Reads under way at once: while one waits for the database, the next gathers. */
const readsMax = 2

type Waiting<V> = { readonly resolve: (value: V | undefined) => void; readonly reject: (error: unknown) => void }

/**
 * Combines reads of single rows that arrive while others are under way into one statement. An idle
 * reader asks at once and never waits on a timer. Every read begins after it was asked for, so nothing
 * older than the question is ever answered.
 *
 * @param load reads many keys at once; keys without a row are left out
 * @returns reads one key; undefined when it has no row
 */
export function combineReads<V>(
  load: (keys: readonly string[]) => Promise<ReadonlyMap<string, V>>,
): (key: string) => Promise<V | undefined> {
  let waiting = new Map<string, Waiting<V>[]>()
  let readsUnderWay = 0

  function takeKeys(): Map<string, Waiting<V>[]> {
    if (waiting.size <= keysMax) {
      const all = waiting
      waiting = new Map()
      return all
    }
    const taken = new Map([...waiting].slice(0, keysMax))
    for (const key of taken.keys()) waiting.delete(key)
    return taken
  }

  async function readOnce(): Promise<void> {
    const taken = takeKeys()
    try {
      const found = await load([...taken.keys()])
      for (const [key, askers] of taken) for (const { resolve } of askers) resolve(found.get(key))
    } catch (error) {
      for (const askers of taken.values()) for (const { reject } of askers) reject(error)
    }
  }

  async function run(): Promise<void> {
    readsUnderWay += 1
    while (waiting.size > 0) await readOnce()
    readsUnderWay -= 1
  }

  return (key) =>
    new Promise((resolve, reject) => {
      const askers = waiting.get(key)
      if (askers) askers.push({ resolve, reject })
      else waiting.set(key, [{ resolve, reject }])
      if (readsUnderWay < readsMax) void run()
    })
}
