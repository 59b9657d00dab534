import { monitorEventLoopDelay, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks'
import process from 'node:process'
import { setImmediate as nextTurn } from 'node:timers/promises'

/** The processor time that this thread has had so far, in milliseconds. */
function threadMilliseconds(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/** The least that `referenceWork` took on the machine that the limits were set on. */
const referenceMilliseconds = 8

const sample = Array.from({ length: 5_000 }, (_, no) => ({ no, reference: `order-${no}`, amount: no / 100, at: new Date(no) }))

function referenceWork(): number {
  const before = threadMilliseconds()
  JSON.parse(JSON.stringify(sample))
  return threadMilliseconds() - before
}

/** How many times slower this machine is at this moment than the one that the limits were set on; at least 1. */
export function slownessOfMachine(): number {
  const best = Math.min(...Array.from({ length: 5 }, referenceWork))
  return Math.max(1, best / referenceMilliseconds)
}

/** How long the event loop was held. */
export type Holds = {
  /**
   * The most processor time that the thread used between two turns of the loop. A thread that had to wait for a processor, or
   * a machine that stood still, adds nothing to it, and neither does a collection of garbage, which may fall into any turn.
   */
  readonly longestMilliseconds: number
  /** The longest delay by the clock, for a person who reads a failure. */
  readonly longestDelayMilliseconds: number
}

/** What lay between two turns of the loop: its beginning and end by the clock, and the processor time of the thread. */
type Stretch = { readonly from: number; readonly to: number; readonly used: number }

/** Of shorter stretches, of which a loop has some ten thousand a second, only the longest is kept. */
const worthNotingMilliseconds = 10

/** The processor time of a stretch without its collections of garbage, which used their share of it. */
function withoutCollections({ from, to, used }: Stretch, collections: readonly PerformanceEntry[]): number {
  const collecting = collections
    .filter(({ startTime }) => startTime >= from && startTime < to)
    .reduce((sum, { duration }) => sum + duration, 0)
  return used * Math.max(0, 1 - collecting / (to - from))
}

/** Watches the event loop while something is done. */
export async function watchLoop(work: () => Promise<unknown>): Promise<Holds> {
  const delays = monitorEventLoopDelay({ resolution: 1 })
  delays.enable()
  const collections: PerformanceEntry[] = []
  const collector = new PerformanceObserver((list) => void collections.push(...list.getEntries()))
  collector.observe({ entryTypes: ['gc'] })
  const stretches: Stretch[] = []
  let longest = 0
  let from = performance.now()
  let before = threadMilliseconds()
  let isOver = false
  const turn = () => {
    const [to, now] = [performance.now(), threadMilliseconds()]
    if (now - before > worthNotingMilliseconds) stretches.push({ from, to, used: now - before })
    else longest = Math.max(longest, now - before)
    from = performance.now()
    before = threadMilliseconds()
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  try {
    await work()
  } finally {
    isOver = true
    delays.disable()
  }
  // The last collections are told of in the next turns.
  await nextTurn()
  await nextTurn()
  collector.disconnect()
  const longestMilliseconds = Math.max(longest, ...stretches.map((stretch) => withoutCollections(stretch, collections)))
  return { longestMilliseconds, longestDelayMilliseconds: delays.max / 1e6 }
}
