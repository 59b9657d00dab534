import { type ChildProcess, spawn } from 'node:child_process'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

/** A child runs the same program that an operator could run by hand. */
export const commandLineEntry = fileURLToPath(new URL('../../../../bin/makola.js', import.meta.url))

export const simulatorEntry = fileURLToPath(new URL('../../../../bin/simulator.js', import.meta.url))

/**
 * Starts one of our programs with the same Node and the same standard output. When this process is killed, its IPC channel to
 * the child closes, and the child notices that.
 */
export function spawnProgram(words: string[], environment: NodeJS.ProcessEnv): ChildProcess {
  return spawn(process.execPath, words, { env: environment, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
}
