import { readdir } from 'node:fs/promises'
import { commandLineOf, signalProcess } from './live-server.ts'
import { runProgram } from './run-program.ts'

/** Lists the process ids of this machine, from the kernel or, where it has no such files (macOS), from `ps`. */
async function listPids(): Promise<number[]> {
  const names = await readdir('/proc').catch(() => undefined)
  if (names) return names.filter((name) => /^\d+$/.test(name)).map(Number)
  const { output } = await runProgram('ps', ['-A', '-o', 'pid='], { workingFolder: '/', user: undefined })
  return output.split('\n').map(Number)
}

/** Lists the processes of a cluster: the server, recognised by its option, and its sessions, by their title. */
export async function listProcessesOf(clusterName: string): Promise<number[]> {
  const found: number[] = []
  for (const pid of await listPids()) {
    const words = await commandLineOf(pid)
    if (words.startsWith(`postgres: ${clusterName}:`) || words.includes(`--cluster_name=${clusterName}`)) found.push(pid)
  }
  return found
}

/**
 * Ends processes that a killed server has left behind. Its sessions end by themselves as a rule, but a session that waits
 * for a killed process waits for ever, and no new server starts beside it ("pre-existing shared memory block is still in
 * use"). All that they committed is on disk.
 *
 * Call it only under the start lock, when no server of this cluster runs.
 * @returns the number of ended processes
 */
export async function endRemainingProcesses(clusterName: string): Promise<number> {
  const processes = await listProcessesOf(clusterName)
  for (const pid of processes) signalProcess(pid, 'SIGKILL')
  return processes.length
}
