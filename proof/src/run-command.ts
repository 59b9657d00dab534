import { execFile } from 'node:child_process'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

/** What `npx makola` runs. */
export const commandLineEntry = fileURLToPath(new URL('../../server/bin/makola.js', import.meta.url))

export type CommandResult = {
  readonly exitCode: number
  /** The one JSON document of `--json`. */
  readonly json: unknown
  readonly errors: string
}

const commandSeconds = 60

/** Runs one command of the product's command line as an operator would, and reads what it prints. */
export function runCommand(words: readonly string[], environment: Readonly<Record<string, string>>): Promise<CommandResult> {
  const env = { PATH: process.env['PATH'] ?? '', ...environment }
  const options = { env, timeout: commandSeconds * 1_000, encoding: 'utf8' } as const
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [commandLineEntry, '--json', ...words], options, (error, stdout, stderr) => {
      const exitCode = error === null ? 0 : error.code
      if (typeof exitCode !== 'number') return reject(new Error(`makola ${words.join(' ')} did not end: ${stderr}`))
      try {
        resolve({ exitCode, json: stdout.trim() === '' ? undefined : JSON.parse(stdout), errors: stderr })
      } catch {
        reject(new Error(`makola ${words.join(' ')} printed what is not JSON: ${stdout}${stderr}`))
      }
    })
  })
}
