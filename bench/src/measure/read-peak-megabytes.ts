import { readFile } from 'node:fs/promises'

/** The most memory that a process has held (VmHWM), in megabytes. NaN outside Linux. */
export async function readPeakMegabytes(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? Number.NaN) / 1_024
}
