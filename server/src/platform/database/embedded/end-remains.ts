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

/**
 * Ends processes that a killed server has left behind. Its sessions end by themselves as a rule, but a session that waits
 * for a killed process waits for ever, and no new server starts beside it ("pre-existing shared memory block is still in
 * use"). All that they committed is on disk.
 *
 * Call it only under the start lock, when no server of this cluster runs. The processes are recognised by the cluster's
 * name in their titles.
 * @returns the number of ended processes
 */
export async function endRemains(clusterName: string): Promise<number> {
  let ended = 0
  for (const pid of await listPids()) {
    const words = await commandLineOf(pid)
    // A session has the first title; the server itself was started with the option.
    if (!words.startsWith(`postgres: ${clusterName}:`) && !words.includes(`--cluster_name=${clusterName}`)) continue
    signalProcess(pid, 'SIGKILL')
    ended += 1
  }
  return ended
}
