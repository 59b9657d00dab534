import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import type { Command, Option } from 'commander'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { programEnvironment } from '../../test/program-environment.ts'
import { runCommand } from '../../test/run-command.ts'
import { createTestDatabase, withEmptyDatabase } from '../../test/test-database.ts'
import { allCommands } from '../all-commands.ts'
import { buildProgram } from './frame/run-command-line.ts'

const entry = fileURLToPath(new URL('../../bin/makola.js', import.meta.url))

type Outcome = { exitCode: number; stdout: string; stderr: string }

function makola(words: string[], environment: Record<string, string> = {}): Promise<Outcome> {
  const env = { ...programEnvironment(), ...environment }
  return new Promise((resolve) => {
    execFile(process.execPath, [entry, ...words], { env }, (error, stdout, stderr) => {
      resolve({ exitCode: error ? Number(error.code) : 0, stdout, stderr })
    })
  })
}

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'makola-commands-'))
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

describe('exit codes and output', () => {
  test('help ends with 0, lists the commands and shows examples', async () => {
    const { exitCode, stdout } = await makola(['--help'])
    expect(exitCode).toBe(0)
    for (const word of ['start', 'api', 'worker', 'simulator', 'migrate', 'doctor', 'account', 'key', 'Examples:'])
      expect(stdout).toContain(word)
  })

  test('an unknown command ends with 2 and one clear line', async () => {
    const { exitCode, stdout, stderr } = await makola(['xyzzy'])
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
    expect(stderr).toBe("makola: unknown command 'xyzzy'. Try `makola --help`.\n")
  })

  test('with --json wrong usage is one JSON document on stdout, wherever the option stands', async () => {
    for (const words of [
      ['xyzzy', '--json'],
      ['--json', 'xyzzy'],
    ]) {
      const { exitCode, stdout } = await makola(words)
      expect(exitCode).toBe(2)
      expect(JSON.parse(stdout)).toEqual({
        error: { code: 'wrong_usage', message: "unknown command 'xyzzy'. Try `makola --help`." },
      })
    }
  })

  test('a group without its command ends with 2 and shows its help', async () => {
    const { exitCode, stderr } = await makola(['key'])
    expect(exitCode).toBe(2)
    expect(stderr).toContain('Usage: makola key')
  })

  test('a wrong variable ends with 2 and names the variable', async () => {
    const { exitCode, stderr } = await makola(['migrate'], { PORT: 'http' })
    expect(exitCode).toBe(2)
    expect(stderr).toBe('makola: PORT must be a port number from 0 to 65535, not "http".\n')
  })

  test('a database that cannot be reached ends with 1 and says so', async () => {
    const { exitCode, stdout } = await makola(['migrate', '--json'], { DATABASE_URL: 'postgresql://nobody@127.0.0.1:9/nowhere' })
    expect(exitCode).toBe(1)
    expect(JSON.parse(stdout)).toEqual({
      error: { code: 'failed', message: expect.stringContaining('The database cannot be reached') as string },
    })
  })

  test('a change that stands on one server alone ends with 1 and says so, and never that the database was away', async () => {
    const database = await createTestDatabase()
    await sql`create function warn() returns trigger language plpgsql as $$
      begin raise warning 'canceling wait for synchronous replication due to user request'; return null; end $$`.execute(
      database.ownerDb,
    )
    await sql`create constraint trigger warn after insert or update on settings deferrable initially deferred
      for each row execute function warn()`.execute(database.ownerDb)
    const { exitCode, stderr } = await makola(['setting', 'set', 'data_enabled', 'false'], {
      DATABASE_URL: database.applicationUrl,
    })
    await database.drop()
    expect(stderr).toMatch(/^makola: It was committed on this database server alone and may be lost with it\./)
    expect(stderr).toContain('Look whether it was done before you repeat it.')
    expect(exitCode).toBe(1)
  })

  test('a command in a folder without a database ends with 1 and makes none', async () => {
    const empty = join(folder, 'empty')
    const { exitCode, stderr } = await makola(['setting', 'get', 'data_enabled'], { DATA_DIR: empty })
    expect(exitCode).toBe(1)
    expect(stderr).toContain(`There is no database in ${empty} yet.`)
    expect(await readdir(folder)).not.toContain('empty')
  })
})

describe('a wrong value of an option', () => {
  /**
   * A right value for each kind of value that has no list of choices and does not take any text. The keys are the names
   * that the help shows.
   */
  const fitting: Record<string, string> = { role: 'agent', type: 'standard', product: 'airtime', amount: '1', percent: '1' }
  const free = [
    'account',
    'email',
    'name',
    'text',
    'note',
    'person',
    'reference',
    'reason',
    'external-id',
    'network',
    'id',
    'credit',
    'cost-key',
    // A file that cannot be read is no mistake in the command itself, so the exit code is 1 and not 2.
    'file',
    'folder',
  ]

  type Words = { words: string[]; option: Option; command: Command }
  const program = buildProgram('0.0.0', allCommands, () => undefined)

  function pathOf(command: Command): string[] {
    return command.parent ? [...pathOf(command.parent), command.name()] : []
  }

  const nameOfValue = (option: Option) => /[<[]([\w-]+)/.exec(option.flags)?.[1] ?? ''
  const withCommands = (command: Command): Command[] => [command, ...command.commands.flatMap(withCommands)]

  /** One command line for each option that takes more than any text, right in all but this option. */
  function wrongLines(command: Command): Words[] {
    const rest = command.options.filter((option) => option.mandatory)
    const operands = command.registeredArguments.filter((each) => each.required).map(() => 'hubtel/airtime/MTN')
    const isBound = (option: Option) => (option.required || option.optional) && !free.includes(nameOfValue(option))
    return command.options.filter(isBound).map((option) => {
      const others = rest.filter((each) => each !== option)
      const given = others.flatMap((each) => [each.long ?? '', each.argChoices?.[0] ?? fitting[nameOfValue(each)] ?? 'x'])
      return { words: [...pathOf(command), ...operands, ...given, option.long ?? '', 'no such value'], option, command }
    })
  }

  const lines = withCommands(program).flatMap(wrongLines)

  test('is looked for in many commands', () => {
    expect(lines.length).toBeGreaterThan(20)
  })

  test.each(lines)('ends with 2 and names the option: $words', async ({ words, option }) => {
    // There is no database here: wrong words must be reported before a database is looked for.
    vi.stubEnv('DATA_DIR', join(folder, 'none'))
    const { exitCode, stderr } = await runCommand(allCommands, words)
    vi.unstubAllEnvs()
    expect(stderr).toContain(option.long)
    expect(exitCode).toBe(2)
  })
})

test('a reader that stops reading ends a command quietly', async () => {
  const database = await createTestDatabase()
  try {
    const env = { ...programEnvironment(), DATABASE_URL: database.applicationUrl }
    const child = spawn(process.execPath, [entry, 'setting', 'list'], { env, stdio: ['ignore', 'pipe', 'pipe'] })
    child.stdout.destroy()
    let stderr = ''
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
    const [exitCode] = (await once(child, 'close')) as [number | null]
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  } finally {
    await database.drop()
  }
})

test('the embedded database is made by migrate and found by other commands through DATA_DIR', async () => {
  const environment = { DATA_DIR: join(folder, 'embedded') }
  const first = await makola(['migrate', '--json'], environment)
  expect((JSON.parse(first.stdout) as { migrations: string[] }).migrations).toContain('0001_baseline')
  expect(JSON.parse((await makola(['migrate', '--json'], environment)).stdout)).toEqual({ migrations: [] })
  const listed = await makola(['supplier', 'list', '--json'], environment)
  expect(listed.exitCode).toBe(0)
  expect(JSON.parse(listed.stdout)).toEqual({ suppliers: [] })
  const doctor = await makola(['doctor', '--json'], environment)
  expect(doctor.exitCode).toBe(1)
  const { ok, findings } = JSON.parse(doctor.stdout) as {
    ok: boolean
    findings: { level: string; topic: string; message: string }[]
  }
  expect(ok).toBe(false)
  expect(findings.filter((finding) => finding.level === 'problem')).toEqual([
    { level: 'problem', topic: 'suppliers', message: 'No supplier is enabled: nothing can be delivered.' },
  ])
})

test('migrate brings an empty database of an operator up to date', async () => {
  await withEmptyDatabase(async (url) => {
    const { exitCode, stdout } = await makola(['migrate', '--json'], { DATABASE_URL: url })
    expect(exitCode).toBe(0)
    const { migrations } = JSON.parse(stdout) as { migrations: string[] }
    expect(migrations).toContain('0001_baseline')
    await makola(['migrate'], { DATABASE_URL: url, SUDO_USER: 'esi' })
    const log = await makola(['log', '--json'], { DATABASE_URL: url })
    expect(JSON.parse(log.stdout)).toMatchObject({ entries: [{ action: 'migrate', subject: 'schema', details: { migrations } }] })
  })
})

test('migrate works as the owner of MIGRATE_DATABASE_URL, and doctor warns of one login that does everything', async () => {
  const database = await createTestDatabase()
  const applicationUrl = database.applicationUrl
  try {
    const shared = { DATA_DIR: join(folder, 'none'), SECRETS_KEY: Buffer.alloc(32).toString('base64') }
    const alone = await makola(['migrate'], { ...shared, DATABASE_URL: applicationUrl })
    expect(alone).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('set MIGRATE_DATABASE_URL') })
    const both = { ...shared, DATABASE_URL: applicationUrl, MIGRATE_DATABASE_URL: database.ownerUrl }
    expect(JSON.parse((await makola(['migrate', '--json'], both)).stdout)).toEqual({ migrations: [] })
    const roleOf = async (environment: Record<string, string>) => {
      const { stdout } = await makola(['doctor', '--json'], environment)
      return (JSON.parse(stdout) as { findings: { level: string; topic: string }[] }).findings.find(
        ({ topic }) => topic === 'role',
      )
    }
    expect(await roleOf(both)).toMatchObject({ level: 'ok' })
    const one = await roleOf({ ...shared, DATABASE_URL: database.ownerUrl })
    expect(one).toMatchObject({ level: 'warning', message: expect.stringContaining('could change history') })
  } finally {
    await database.drop()
  }
})
