import { spawn } from 'node:child_process'
import type { ServerUser } from './server-user.ts'

export type ProgramResult = { exitCode: number; output: string }

/**
 * Runs one of PostgreSQL's programs until it ends. It has a session of its own, so that Ctrl-C on our terminal reaches
 * neither it nor the server that it starts, and an environment of its own, so that PGDATA or PGOPTIONS of ours cannot
 * mislead it.
 */
export function runProgram(
  file: string,
  parameters: string[],
  options: { workingFolder: string; user: ServerUser | undefined },
): Promise<ProgramResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, parameters, {
      cwd: options.workingFolder,
      env: { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      ...options.user,
    })
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.once('error', reject)
    child.once('close', (exitCode) => resolve({ exitCode: exitCode ?? -1, output: output.trim() }))
  })
}
