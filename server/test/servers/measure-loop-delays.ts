import { monitorEventLoopDelay } from 'node:perf_hooks'
import process from 'node:process'

/** The processor time that this thread has had so far, in milliseconds. */
function threadMilliseconds(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/** The time of `referenceWork` on the machine that the limits were set on. */
const referenceMilliseconds = 80

const sample = Array.from({ length: 5_000 }, (_, no) => ({ no, reference: `order-${no}`, amount: no / 100, at: new Date(no) }))

/** Long enough for a clock that counts in steps of 4 ms, as some kernels do. */
function referenceWork(): number {
  const before = threadMilliseconds()
  for (let times = 0; times < 10; times += 1) JSON.parse(JSON.stringify(sample))
  return threadMilliseconds() - before
}

/** How many times slower this machine is at this moment than the one that the limits were set on; at least 1. */
export function measureSlowness(): number {
  return Math.max(1, Math.min(referenceWork(), referenceWork()) / referenceMilliseconds)
}

/** How long the event loop was held. */
export type LoopDelays = {
  /**
   * The most processor time that the thread used between two turns of the loop. A thread that had to wait for a processor, or
   * a machine that stood still, adds nothing to it.
   */
  readonly longestMilliseconds: number
  /** The longest delay by the clock, for a person who reads a failure. */
  readonly longestDelayMilliseconds: number
}

/** Watches the event loop while something is done. */
export async function measureLoopDelays(work: () => Promise<unknown>): Promise<LoopDelays> {
  const delays = monitorEventLoopDelay({ resolution: 1 })
  delays.enable()
  let longest = 0
  let before = threadMilliseconds()
  let isOver = false
  const turn = () => {
    const now = threadMilliseconds()
    longest = Math.max(longest, now - before)
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
  return { longestMilliseconds: longest, longestDelayMilliseconds: delays.max / 1e6 }
}
