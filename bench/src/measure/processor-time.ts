import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import process from 'node:process'

/** Processes whose work is counted, by their names in the report. */
export const processNames = ['API', 'worker', 'PostgreSQL', 'simulator', 'load generator'] as const
export type ProcessName = (typeof processNames)[number]

/** One process, or several whose work is added up. */
export type Processes = Partial<Record<ProcessName, number | readonly number[] | undefined>>

/** Microseconds of processor time per operation, by process. Empty where the system does not report it. */
export type Costs = Partial<Record<ProcessName, number>>

/** True on a Linux that reports the running time of every thread. */
const isMeasured = existsSync('/proc/self/schedstat')

/** The clock tick of `/proc/<pid>/stat`, on every Linux that Node runs on. */
const tickNanoseconds = 1e9 / 100

/** Position of a process's finished children in `/proc/<pid>/stat`, after its name: user time, then system time. */
const childrenUserField = 13

function readOrNothing(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // The process or the thread has ended since its folder was listed.
    return ''
  }
}

function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map((thread) => `/proc/${pid}/task/${thread}`)
  } catch {
    return []
  }
}

/** Running time of one process's threads until now. */
function ownNanoseconds(pid: number): number {
  return threadsOf(pid).reduce((sum, thread) => sum + Number(readOrNothing(`${thread}/schedstat`).split(' ', 1)[0]), 0)
}

export function childrenOf(pid: number): number[] {
  return threadsOf(pid).flatMap((thread) => readOrNothing(`${thread}/children`).split(' ').filter(Boolean).map(Number))
}

export function commandLineOf(pid: number): string[] {
  return readOrNothing(`/proc/${pid}/cmdline`).split('\0').filter(Boolean)
}

/**
 * Adds up the running times of the children: PostgreSQL has one for each connection. Ended children are counted in their
 * parent.
 */
function childrenNanoseconds(pid: number): number {
  const stat = readOrNothing(`/proc/${pid}/stat`)
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const ended = Number(fields[childrenUserField] ?? 0) + Number(fields[childrenUserField + 1] ?? 0)
  return childrenOf(pid).reduce((sum, child) => sum + ownNanoseconds(child), ended * tickNanoseconds)
}

function readNanoseconds(pid: number | readonly number[]): number {
  if (typeof pid !== 'number') return pid.reduce((sum, each) => sum + readNanoseconds(each), 0)
  // The servers are children of this process and are counted separately.
  return pid === process.pid ? ownNanoseconds(pid) : ownNanoseconds(pid) + childrenNanoseconds(pid)
}

/**
 * Starts to count processor time.
 * @returns a function that gives each process's time since then, in microseconds per operation
 */
export function countProcessorTime(processes: Processes): (operations: number) => Costs {
  if (!isMeasured) return () => ({})
  const watched = processNames.flatMap((name) => {
    const pid = processes[name]
    return pid === undefined ? [] : [{ name, pid, before: readNanoseconds(pid) }]
  })
  return (operations) =>
    Object.fromEntries(watched.map(({ name, pid, before }) => [name, (readNanoseconds(pid) - before) / 1_000 / operations]))
}

/** The sum of some processes. NaN where it was not measured. */
export function sumCosts(costs: Costs, names: readonly ProcessName[]): number {
  return names.reduce((sum, name) => sum + (costs[name] ?? Number.NaN), 0)
}

export function describeCosts(costs: Costs): string {
  const known = processNames.flatMap((name) => (costs[name] === undefined ? [] : [`${name} ${Math.round(costs[name])}`]))
  return known.length === 0 ? 'processor time not measured' : `${known.join(', ')} µs`
}

/** The most memory that a process has held (VmHWM), in megabytes. NaN outside Linux. */
export async function readPeakMegabytes(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? Number.NaN) / 1_024
}
