import { spawn, spawnSync } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

/** A task for a driver. `drive-client.ts`, the driver of TypeScript, explains the fields. */
export type Job = {
  readonly name: string
  readonly call: string
  readonly arguments: readonly unknown[]
  readonly options?: object
  readonly client: object
  readonly times: number
  readonly isMadeAgain: boolean
  readonly wait?: readonly [string, number]
}

export type Result = {
  /** `value`, or the name of the error. */
  readonly ends: string
  readonly reason?: string
  readonly reference?: string
  // Values have many shapes, and each test checks the part that it is about.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly value?: any
}

/** The output of a driver for a job: the results of its calls, and the references that the client made. */
export type Done = { readonly name: string; readonly results: readonly Result[]; readonly told: readonly string[] }

const sdk = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url))

const programs: Readonly<Record<string, readonly [string, ...string[]]>> = {
  typescript: [process.execPath, sdk('typescript/test/drive-client.ts')],
  php: ['php', sdk('php/test/drive-client.php')],
  python: ['python3', sdk('python/test/drive_client.py')],
}

/** Commands that end with 0 when the language is installed with everything that its client needs. */
const probes: Readonly<Record<string, readonly [string, ...string[]]>> = {
  php: ['php', '-r', 'exit(PHP_VERSION_ID >= 80100 && extension_loaded("curl") && extension_loaded("json") ? 0 : 1);'],
  python: ['python3', '-c', 'import sys; sys.exit(sys.version_info < (3, 10))'],
}

/** Returns the reason why a client cannot run here; undefined where it can. */
export function whyNotHere(language: string): string | undefined {
  const [program, ...words] = probes[language] ?? []
  if (program === undefined || spawnSync(program, words).status === 0) return undefined
  return `${program} is not here, or lacks what the client needs`
}

/** Runs jobs with the client of a language, in a process of its own. */
export async function drive(language: string, jobs: readonly Job[], atOnce = 1): Promise<Map<string, Done>> {
  const [program = '', ...words] = programs[language] ?? []
  const child = spawn(program, words, { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve))
  child.stdin.end(JSON.stringify({ jobs, atOnce }))
  const printed = await text(child.stdout)
  if ((await ended) !== 0) throw new Error(`the driver of ${language} failed after:\n${printed.slice(-2_000)}`)
  const done = printed
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Done)
  return new Map(done.map((each) => [each.name, each]))
}
