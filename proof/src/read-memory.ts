import { readFile } from 'node:fs/promises'

/**
 * The memory that a process holds now (VmRSS), in megabytes.
 * @throws Error when the process has ended
 */
export async function readMemoryMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]
  if (kilobytes === undefined) throw new Error(`process ${pid} has no memory to read`)
  return Number(kilobytes) / 1_024
}
