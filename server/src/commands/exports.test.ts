import { execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, open, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'
import process from 'node:process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { Command } from 'commander'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { makeAccount } from '../../test/make-account.ts'
import { programEnvironment } from '../../test/program-environment.ts'
import { files, source } from '../../test/reading/read-sources.ts'
import { setUpCommandLine } from '../../test/set-up-command-line.ts'
import { allCommands } from '../all-commands.ts'
import { placeTestOrders } from '../orders/intake/place-test-orders.fixture.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import { newId } from '../platform/database/new-id.ts'
import { buildProgram } from './frame/run-command-line.ts'

const desk = setUpCommandLine(allCommands, { SECRETS_KEY: randomBytes(32).toString('base64') })
const topUpId = newId()
let accountId: string

/** Every command that writes a file, and how it is run. */
const exports: Readonly<Record<string, readonly string[]>> = {
  'top-up show --picture': ['top-up', 'show', topUpId, '--picture', 'FILE'],
  'packages export <file>': ['packages', 'export', 'FILE'],
  'afa export <file>': ['afa', 'export', 'FILE', '--reason', 'for the MTN office'],
  'wallet statement --csv': ['wallet', 'statement', '--account', 'ACCOUNT', '--csv', 'FILE'],
  'wallet statement --pdf': ['wallet', 'statement', '--account', 'ACCOUNT', '--pdf', 'FILE'],
  'commission statement --csv': ['commission', 'statement', '--account', 'ACCOUNT', '--csv', 'FILE'],
  'commission statement --pdf': ['commission', 'statement', '--account', 'ACCOUNT', '--pdf', 'FILE'],
  'order list --csv': ['order', 'list', '--csv', 'FILE'],
  'report sales --csv': ['report', 'sales', '--csv', 'FILE'],
  'report float --csv': ['report', 'float', '--csv', 'FILE'],
  'report balances --csv': ['report', 'balances', '--csv', 'FILE'],
  'report vouchers --csv': ['report', 'vouchers', '--csv', 'FILE'],
  'report tax --csv': ['report', 'tax', '--csv', 'FILE'],
}

/** Options and arguments that name a file to read. */
const inputs = [
  'packages import <file>',
  'packages schedule add <file>',
  'reconcile <file>',
  'upgrade <file>',
  'vouchers import <file>',
  'vouchers withdraw --file',
]

type Named = { readonly name: string; readonly isOutput: boolean; readonly mayForce: boolean }

/** Every option and argument of the command line that names a file. */
function listFiles(command: Command, path = ''): Named[] {
  const mayForce = command.options.some(({ long }) => long === '--force')
  const isOutput = (description: string) => description.endsWith('it must not exist yet')
  const named = [
    ...command.registeredArguments.map((each) => ({ name: `<${each.name()}>`, isOutput: isOutput(each.description) })),
    ...command.options.map((each) => ({ name: each.long ?? '', isOutput: isOutput(each.description) })),
  ]
    .filter(({ name, isOutput }) => isOutput || /file|picture|pdf|csv/.test(name))
    .map(({ name, isOutput }) => ({ name: `${path} ${name}`.trim(), isOutput, mayForce }))
  return [...named, ...command.commands.flatMap((each) => listFiles(each, `${path} ${each.name()}`.trim()))]
}

async function runWith(file: string, words: readonly string[], ...more: string[]) {
  const meant: Readonly<Record<string, string>> = { FILE: file, ACCOUNT: accountId }
  return desk.run(...words.map((word) => meant[word] ?? word), ...more)
}

beforeAll(async () => {
  ;({ accountId } = await makeAccount(desk.db, { balancePesewas: 1_250 }))
  await sql`
    insert into top_ups (id, account_id, way, reference, page_reference, amount, fee, made_by, transfer_reference, transfer_key, state)
    values (${topUpId}, ${accountId}, 'transfer', 'pay-1', 'page-1', 100, 0, 'ama', 'MOMO 1', 'MOMO1', 'waiting')`.execute(
    desk.db,
  )
  const bytes = Buffer.from('a picture')
  await desk.db.insertInto('top_up_pictures').values({ top_up_id: topUpId, media_type: 'image/png', bytes }).execute()
})

describe('files that commands write', () => {
  const named = listFiles(buildProgram('0.0.0', allCommands, () => undefined))

  it('are those of the list, each with --force; all other files are read', () => {
    const outputs = named.filter(({ isOutput }) => isOutput)
    expect(outputs.map(({ name }) => name).toSorted()).toEqual(Object.keys(exports).toSorted())
    expect(outputs.filter(({ mayForce }) => !mayForce)).toEqual([])
    expect(
      named
        .filter(({ isOutput }) => !isOutput)
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(inputs)
  })

  it('are written in one place alone', () => {
    const writes = /\b(?:writeFile|appendFile|createWriteStream|copyFile)\b|\bopen\([^)]*'[wax]/
    const writers = files.filter(({ path, text }) => path.includes('/commands/') && writes.test(text))
    // `makola start` writes to its folder only to check that it can.
    expect(writers.map(({ path }) => relative(join(source, 'commands'), path)).toSorted()).toEqual([
      'frame/write-whole-file.ts',
      'run/start/check-port-and-data-dir.ts',
    ])
  })

  it.each(Object.entries(exports))('%s: never replaces a file, but with --force', async (name, words) => {
    const folder = join(desk.folder, name.replaceAll(/\W+/g, '-'))
    await mkdir(folder)
    const file = join(folder, 'export')
    await writeFile(file, 'mine', { mode: 0o644 })
    const logged = () => desk.db.selectFrom('operator_log').select('id').execute()
    const before = await logged()

    const refused = await runWith(file, words)
    expect(refused).toMatchObject({ exitCode: 1, stdout: '' })
    expect(refused.stderr).toBe(
      `makola: ${file} cannot be written: it is there already. Give another name, or --force to replace it.\n`,
    )
    expect(await readFile(file, 'utf8')).toBe('mine')
    expect(await logged()).toEqual(before)

    expect(await runWith(file, words, '--force')).toMatchObject({ exitCode: 0, stderr: '' })
    expect(await readFile(file, 'utf8')).not.toBe('mine')
    expect((await stat(file)).mode & 0o077).toBe(0)
    expect(await readdir(folder)).toEqual([basename(file)])
  })

  it('must differ, and are no folders', async () => {
    const file = join(desk.folder, 'both')
    const twice = await runWith(file, [...(exports['wallet statement --csv'] ?? []), '--pdf', `${desk.folder}/./both`])
    expect(twice).toMatchObject({ exitCode: 2, stderr: 'makola: --csv and --pdf must name different files.\n' })
    const folder = await desk.run('report', 'float', '--csv', desk.folder, '--force')
    expect(folder).toMatchObject({ exitCode: 1, stderr: `makola: ${desk.folder} cannot be written: it is a folder.\n` })
  })

  it('keep a link that names them with --force', async () => {
    const [file, link] = [join(desk.folder, 'named.csv'), join(desk.folder, 'link.csv')]
    await writeFile(file, 'old')
    await symlink(file, link)
    expect(await desk.run('report', 'balances', '--csv', link, '--force')).toMatchObject({ exitCode: 0 })
    expect(await readFile(file, 'utf8')).toMatch(/^purse,balance,unit\r\nmain,12\.50,GHS\r\n/)
    expect((await stat(link)).ino).toBe((await stat(file)).ino)
  })
})

describe('a stopped export', () => {
  const entry = fileURLToPath(new URL('../../bin/makola.js', import.meta.url))
  const environment = () => ({ ...programEnvironment(), DATABASE_URL: desk.database.applicationUrl, DATA_DIR: desk.folder })

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('by %s leaves no file, and what was there with --force', async (signal) => {
    const folder = join(desk.folder, signal)
    await mkdir(folder)
    const file = join(folder, 'orders.csv')
    await writeFile(file, 'the last export')
    await inTransaction(desk.database.ownerDb, async (tx) => {
      // The export has its first line and waits for the rest.
      await sql`lock table orders in access exclusive mode`.execute(tx)
      const child = spawn(process.execPath, [entry, 'order', 'list', '--csv', file, '--force'], { env: environment() })
      const ended = once(child, 'exit')
      await expect.poll(() => readdir(folder)).toHaveLength(2)
      child.kill(signal)
      expect(await ended).toEqual([null, signal])
    })
    expect(await readdir(folder)).toEqual(['orders.csv'])
    expect(await readFile(file, 'utf8')).toBe('the last export')
  })

  it('by its own error leaves no file', async () => {
    const folder = join(desk.folder, 'error')
    await mkdir(folder)
    await sql`alter table orders rename to elsewhere`.execute(desk.database.ownerDb)
    try {
      expect(await desk.run('order', 'list', '--csv', join(folder, 'orders.csv'))).toMatchObject({ exitCode: 1 })
    } finally {
      await sql`alter table elsewhere rename to orders`.execute(desk.database.ownerDb)
    }
    expect(await readdir(folder)).toEqual([])
  })

  it('into a pipe whose reader went away says so', async () => {
    await placeTestOrders(desk.db, accountId, ['0241234567'])
    const pipe = join(desk.folder, 'pipe')
    execFileSync('mkfifo', [pipe])
    const { child, said } = await inTransaction(desk.database.ownerDb, async (tx) => {
      await sql`lock table orders in access exclusive mode`.execute(tx)
      const exporting = spawn(process.execPath, [entry, 'order', 'list', '--csv', pipe], { env: environment() })
      const words = text(exporting.stderr)
      // Opening the pipe waits until the export has opened it too.
      await (await open(pipe)).close()
      return { child: exporting, said: words }
    })
    expect(await said).toBe(`makola: ${pipe} cannot be written: EPIPE: broken pipe, write\n`)
    if (child.exitCode === null) await once(child, 'exit')
    expect(child.exitCode).toBe(1)
    expect((await readdir(desk.folder)).filter((name) => name.includes('unfinished'))).toEqual([])
  })
})
