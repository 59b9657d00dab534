import { execFile } from 'node:child_process'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { pickEnvironment, programVariables } from './managed-process.ts'

/** The folder of this version. */
export const ownTree = fileURLToPath(new URL('../../', import.meta.url))

/** The Node of a version's folder, and the program that `npx makola` runs there. */
export const programOf = (tree: string) => ({
  node: tree === ownTree ? process.execPath : join(tree, 'node_modules', '.bin', 'node'),
  entry: join(tree, 'server', 'bin', 'makola.js'),
})

export type CommandResult = {
  readonly exitCode: number
  /** The JSON document that `--json` printed. */
  readonly json: unknown
  readonly errors: string
}

const commandSeconds = 90

/** Runs one `makola` command of a version as an operator would, and reads its output. */
export async function runCommand(
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
  tree = ownTree,
): Promise<CommandResult> {
  const { exitCode, stdout, stderr } = await execute(words, environment, tree)
  return { exitCode, json: readDocument(words, stdout, stderr), errors: stderr }
}

type Ended = { exitCode: number; stdout: string; stderr: string }

function execute(words: readonly string[], environment: Readonly<Record<string, string>>, tree: string): Promise<Ended> {
  const { node, entry } = programOf(tree)
  const env = { ...pickEnvironment(['PATH', ...programVariables]), ...environment }
  const options = { env, timeout: commandSeconds * 1_000, encoding: 'utf8' } as const
  return new Promise((resolve, reject) => {
    execFile(node, [entry, '--json', ...words], options, (error, stdout, stderr) => {
      const exitCode = error === null ? 0 : error.code
      if (typeof exitCode !== 'number') reject(new Error(`makola ${words.join(' ')} did not end: ${stderr}`))
      else resolve({ exitCode, stdout, stderr })
    })
  })
}

function readDocument(words: readonly string[], stdout: string, stderr: string): unknown {
  if (stdout.trim() === '') return undefined
  try {
    return JSON.parse(stdout)
  } catch {
    throw new Error(`makola ${words.join(' ')} printed what is not JSON: ${stdout}${stderr}`)
  }
}
