import { type ChildProcess, spawn } from 'node:child_process'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

/** The command line itself, so that a child runs exactly what an operator could run by hand. */
export const commandLineEntry = fileURLToPath(new URL('../../../../bin/makola.js', import.meta.url))

export const simulatorEntry = fileURLToPath(new URL('../../../../../simulator/src/simulator.ts', import.meta.url))

/**
 * How Node is asked to run a worker. V8 lets the young generation grow with the machine's memory, to 128 MB and more; a
 * worker leaves much short-lived garbage and would fill it, but works as fast with a tenth.
 */
export const workerNodeOptions: readonly string[] = ['--max-semi-space-size=4']

/**
 * How Node is asked to run an API. On a machine with much memory V8 lets the heap quadruple before it looks for garbage
 * in all of it; with a limit that is several times what an API ever needs it looks when the heap has grown by a half.
 */
export const apiNodeOptions: readonly string[] = ['--max-semi-space-size=8', '--max-old-space-size=768']

/**
 * Starts a program of ours on the same Node, with our standard output. The channel between us is how
 * the child notices when this process is killed.
 */
export function spawnOurs(words: string[], environment: NodeJS.ProcessEnv): ChildProcess {
  return spawn(process.execPath, words, { env: environment, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
}
