import { readdir, readFile } from 'node:fs/promises'
import process from 'node:process'

/** Reads a process's state and parent from /proc. The second field, its name, is in parentheses and may hold any character. */
async function readStat(pid: number): Promise<{ state: string; parent: number } | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return state && parent ? { state, parent: Number(parent) } : undefined
}

/** The ids of the processes whose parent is the process `pid`. */
export async function childrenOf(pid: number): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const stats = await Promise.all(pids.map(readStat))
  return pids.filter((_, index) => stats[index]?.parent === pid)
}

/** A zombie counts as dead. */
export async function isAlive(pid: number): Promise<boolean> {
  const stat = await readStat(pid)
  return stat !== undefined && stat.state !== 'Z'
}

/** Signals a process that may have ended in the meantime. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
