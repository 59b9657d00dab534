import { type ChildProcess, spawn } from 'node:child_process'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

/** The command line itself, so that a child runs exactly what an operator could run by hand. */
export const commandLineEntry = fileURLToPath(new URL('../../../../bin/makola.js', import.meta.url))

export const simulatorEntry = fileURLToPath(new URL('../../../../../simulator/src/simulator.ts', import.meta.url))

/**
 * Node's options for a worker. V8 lets the young generation grow with the machine's memory, to 128 MB and more. A
 * worker makes much short-lived garbage and would fill it, but is as fast with a tenth.
 */
export const workerNodeOptions: readonly string[] = ['--max-semi-space-size=4']

/**
 * Node's options for an API. On a machine with much memory, V8 lets the heap grow to four times its size before a full
 * collection. With this limit, which is several times what an API needs, it collects after growth by a half.
 */
export const apiNodeOptions: readonly string[] = ['--max-semi-space-size=8', '--max-old-space-size=768']

/**
 * Starts one of our programs on the same Node, with our standard output. The child notices by the channel between us
 * when this process is killed.
 */
export function spawnOurs(words: string[], environment: NodeJS.ProcessEnv): ChildProcess {
  return spawn(process.execPath, words, { env: environment, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
}
