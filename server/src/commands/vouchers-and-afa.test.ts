import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { applicant } from '../../test/applicant.ts'
import { makeAccount } from '../../test/make-account.ts'
import { runCommand, runCommandForJson } from '../../test/run-command.ts'
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts'
import { allCommands } from '../all-commands.ts'
import { closeIntake, openIntake } from '../orders/intake/open-intake.ts'
import type { Intake } from '../orders/intake/place-orders.ts'
import { type Epoch, watchEpoch } from '../platform/database/epoch.ts'
import { parseSecretsKeys } from '../platform/secrets/secrets-keys.ts'
import { openSettings } from '../platform/settings/settings.ts'
import { afaKind } from '../products/afa/afa.kind.ts'
import { registerAfa } from '../products/afa/register-afa.ts'

const oldKey = Buffer.alloc(32, 1).toString('base64')
const newKey = Buffer.alloc(32, 2).toString('base64')

let database: TestDatabase
let folder: string
let epoch: Epoch
let intake: Intake

beforeAll(async () => {
  database = await createTestDatabase()
  folder = await mkdtemp(join(tmpdir(), 'makola-commands-'))
  epoch = await watchEpoch(database.db)
  intake = openIntake({ database: { url: database.applicationUrl }, kinds: [afaKind], log: pino({ level: 'silent' }) })
  await writeFile(join(folder, 'keys'), `${oldKey}\n`)
  vi.stubEnv('DATABASE_URL', database.applicationUrl)
  vi.stubEnv('DATA_DIR', folder)
  vi.stubEnv('SECRETS_KEY_FILE', join(folder, 'keys'))
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await closeIntake(intake)
  epoch.stop()
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

const run = (...words: string[]) => runCommand(allCommands, words)

/** Runs a command that must succeed. @returns the JSON document that it printed */
// Each test knows the shape of its command's document.
// oxlint-disable-next-line typescript/no-explicit-any
const json = (...words: string[]) => runCommandForJson(allCommands, words) as Promise<any>

async function fileOf(text: string): Promise<string> {
  const file = join(folder, 'vouchers.csv')
  await writeFile(file, text)
  return file
}

test('a voucher type is made, stocked from a file and counted', async () => {
  const set = ['voucher-type', 'set', 'WASSCE', '--price-customer', '20', '--price-agent', '17.50', '--price-dealer', '16.50']
  expect(await json(...set)).toMatchObject({
    name: 'WASSCE',
    price_customer: 20,
    price_agent: 17.5,
    price_dealer: 16.5,
    is_active: true,
    available_count: 0,
  })
  const file = await fileOf('pin,serial_number\nP1,S1\nP2,S2\nP1,S1\n')
  expect(await json('vouchers', 'import', '--type', 'wassce', '--dry-run', file)).toEqual({
    imported: 2,
    skipped: 1,
    dry_run: true,
  })
  expect(await json('vouchers', 'import', '--type', 'WASSCE', file)).toEqual({ imported: 2, skipped: 1 })
  expect(await json('vouchers', 'import', '--type', 'WASSCE', file)).toEqual({ imported: 0, skipped: 3 })
  expect(await json('vouchers', 'count')).toMatchObject({
    types: [{ name: 'WASSCE', available_count: 2, sold_count: 0, is_low: true }],
  })
  expect(await json('voucher-type', 'set', 'wassce', '--active', 'false', '--low-stock', '2')).toMatchObject({
    is_active: false,
    low_stock_count: 2,
    price_agent: 17.5,
  })
})

test('a file with bad rows imports nothing and says which lines, without what stands there', async () => {
  const { exitCode, stderr } = await run(
    'vouchers',
    'import',
    '--type',
    'WASSCE',
    await fileOf('pin,serial_number\nSECRETPIN,\nP9,S9\n'),
  )
  expect([exitCode, stderr]).toEqual([1, 'makola: Nothing was imported. line 2: the serial number is missing.\n'])
  expect((await json('vouchers', 'count')).types[0].available_count).toBe(2)
})

test.each([
  [1, 'There is no voucher type "NOPE"; known: WASSCE', ['vouchers', 'import', '--type', 'NOPE', '/dev/null']],
  [1, 'cannot be read', ['vouchers', 'import', '--type', 'WASSCE', '/no/such/file']],
  [1, 'cannot be read', ['vouchers', 'withdraw', '--type', 'WASSCE', '--reason', 'r', '--by', 'ama', '--file', '/no/such/file']],
  [2, 'needs a price for customers, agents and dealers', ['voucher-type', 'set', 'BECE', '--price-agent', '5']],
  [2, 'must be GHS above 0', ['voucher-type', 'set', 'WASSCE', '--price-agent', '0']],
  [2, '--low-stock must be a whole number', ['voucher-type', 'set', 'WASSCE', '--low-stock', 'few']],
  [2, 'Give references, or --next', ['afa', 'claim']],
  [2, '--reason must have', ['afa', 'list', '--reveal']],
  [1, 'There is no AFA registration "nope"', ['afa', 'complete', 'nope']],
])('wrong words end with code %i and a sentence: %s', async (code, text, words) => {
  const { exitCode, stderr } = await run(...words)
  expect(exitCode).toBe(code)
  expect(stderr).toContain(text)
})

async function registered(reference: string, more: { full_name?: string } = {}): Promise<void> {
  const { accountId } = await makeAccount(database.db, { balancePesewas: 10_000 })
  const deps = {
    db: database.db,
    intake,
    epoch,
    settings: openSettings(database.db, epoch),
    secretsKeys: parseSecretsKeys(oldKey, 'x'),
  }
  const caller = { accountId, keyId: accountId, keyType: 'standard', role: 'agent', roleExpiresAt: null } as const
  await registerAfa(deps, caller, {
    reference,
    ...applicant,
    ...more,
  })
}

test('registrations are listed masked, claimed, completed, cancelled and exported, and whoever saw them is in the log', async () => {
  await registered('afa-1')
  await registered('afa-2')
  const listed = await json('afa', 'list')
  expect(listed.orders).toMatchObject([
    {
      reference: 'afa-1',
      status: 'pending',
      fee: 12,
      claimed_by: null,
      identity: { id_number: 'GHA-*******89-0', date_of_birth: '****-**-**' },
    },
    { reference: 'afa-2' },
  ])
  expect((await json('afa', 'claim', '--next', '1', '--by', 'ama')).orders).toMatchObject([
    { reference: 'afa-1', status: 'processing', claimed_by: 'ama' },
  ])
  expect((await json('afa', 'complete', 'afa-1', '--note', 'form 4711', '--by', 'ama')).orders).toMatchObject([
    { status: 'completed' },
  ])
  expect((await json('afa', 'list', '--reference', 'afa-2', '--reveal', '--reason', 'the office asks')).orders).toMatchObject([
    { identity: { id_number: 'GHA-123456789-0', date_of_birth: '1990-05-17' } },
  ])
  const file = join(folder, 'export.csv')
  expect(await json('afa', 'export', file, '--status', 'all', '--reason', 'batch 1')).toEqual({ exported: 2 })
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(await readFile(file, 'utf8')).toContain('GHA-123456789-0')
  // A file that exists already is refused before anything is read, so the log has no line.
  expect((await run('afa', 'export', file, '--reason', 'again')).exitCode).toBe(1)
  expect((await json('afa', 'cancel', 'afa-2', '--reason', 'no such card', '--by', 'kofi')).orders).toMatchObject([
    { status: 'cancelled' },
  ])
  const trail = await database.db.selectFrom('operator_log').selectAll().where('action', 'like', 'afa %').orderBy('id').execute()
  expect(trail.map(({ action, details }) => [action, details['reason']])).toEqual([
    ['afa claim', undefined],
    ['afa complete', 'form 4711'],
    ['afa list --reveal', 'the office asks'],
    ['afa export', 'batch 1'],
    ['afa claim', undefined],
    ['afa cancel', 'no such card'],
  ])
  expect(JSON.stringify(trail)).not.toMatch(/123456789|1990-05/)
})

test('what a terminal would obey in the name of an applicant is shown, not obeyed', async () => {
  await registered('afa-3', { full_name: 'Esi\u001b[2J\u009b31m\n2026-01-01 completed\u2028afa-1\u202e' })
  const { stdout } = await run('afa', 'list', '--reference', 'afa-3')
  expect(stdout).toContain('Esi�[2J�31m�2026-01-01 completed�afa-1�, GHA-*******89-0')
  expect(stdout.match(/\n/g)).toHaveLength(1)
})

test('of several registrations all are claimed or none, and one whose data was altered hides no other', async () => {
  await registered('afa-4')
  expect((await run('afa', 'claim', 'afa-3', 'nope')).exitCode).toBe(1)
  expect((await json('afa', 'list', '--reference', 'afa-3')).orders).toMatchObject([{ status: 'pending', is_unreadable: false }])
  await database.ownerDb
    .updateTable('afa_registrations')
    .set({ identity: 'v1.x.y' })
    .where('order_id', '=', (await json('afa', 'list', '--reference', 'afa-3')).orders[0].order_id)
    .execute()
  expect((await json('afa', 'claim', 'afa-3', 'afa-4', 'afa-3')).orders).toMatchObject([
    { reference: 'afa-3', status: 'processing', identity: null, is_unreadable: true },
    { reference: 'afa-4', status: 'processing', identity: { full_name: 'Ama Mensah' } },
  ])
  expect((await run('afa', 'list')).stdout).toContain('afa-3  identity data cannot be read')
  const file = join(folder, 'export-2.csv')
  expect(await json('afa', 'export', file, '--reason', 'batch 2')).toEqual({ exported: 2, unreadable: ['afa-3'] })
  await database.ownerDb.deleteFrom('afa_registrations').where('identity', '=', 'v1.x.y').execute()
})

test('a command whose keys do not fit does nothing, and one in the wrong folder leaves nothing there', async () => {
  const before = await json('afa', 'list', '--reference', 'afa-4')
  await writeFile(join(folder, 'keys'), `${newKey}\n`)
  const { exitCode, stderr } = await run('afa', 'cancel', 'afa-4', '--reason', 'no such card')
  await writeFile(join(folder, 'keys'), `${oldKey}\n`)
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('sealed with another key')])
  expect(await json('afa', 'list', '--reference', 'afa-4')).toEqual(before)

  const wrong = await mkdtemp(join(tmpdir(), 'makola-commands-'))
  const given = ['DATABASE_URL', 'DATA_DIR', 'SECRETS_KEY_FILE'].map((name) => [name, process.env[name]] as const)
  vi.stubEnv('DATABASE_URL', undefined)
  vi.stubEnv('SECRETS_KEY_FILE', undefined)
  vi.stubEnv('DATA_DIR', wrong)
  for (const words of [
    ['vouchers', 'import', '--type', 'WASSCE', '/dev/null'],
    ['afa', 'list'],
    ['secrets', 'rotate'],
  ]) {
    expect((await run(...words)).stderr).toContain('There is no database')
  }
  for (const [name, value] of given) vi.stubEnv(name, value)
  expect(await readdir(wrong)).toEqual([])
  await rm(wrong, { recursive: true })
})

test('the key is changed by a new first line in SECRETS_KEY_FILE and secrets rotate, after which the old one is not needed', async () => {
  await writeFile(join(folder, 'keys'), `${newKey}\n${oldKey}\n`)
  const { resealed, left } = await json('secrets', 'rotate')
  expect(left).toBe(0)
  expect(resealed).toMatchObject({ 'vouchers.pin': 2, 'vouchers.serial_number': 2, 'afa_registrations.identity': 3 })
  await writeFile(join(folder, 'keys'), `${newKey}\n`)
  expect((await json('afa', 'list', '--status', 'all')).orders).toHaveLength(3)
  expect(await json('vouchers', 'import', '--type', 'WASSCE', await fileOf('pin,serial_number\nP1,S1\n'))).toEqual({
    imported: 0,
    skipped: 1,
  })
  await writeFile(join(folder, 'keys'), `${oldKey}\n`)
  const refused = await run('vouchers', 'import', '--type', 'WASSCE', await fileOf('pin,serial_number\nP5,S5\n'))
  expect(refused.exitCode).toBe(2)
  expect(refused.stderr).toContain('sealed with another key')
})

test('unsold vouchers are taken out of the stock by two people, and may be imported again', async () => {
  await writeFile(join(folder, 'keys'), `${newKey}\n`)
  await json('voucher-type', 'set', 'NOVDEC', '--price-customer', '20', '--price-agent', '17.50', '--price-dealer', '16.50')
  const file = await fileOf('pin,serial_number\nN1,T1\nN2,T2\nN3,T3\n')
  await json('vouchers', 'import', '--type', 'NOVDEC', file)
  const words = ['vouchers', 'withdraw', '--type', 'novdec', '--reason', 'series withdrawn', '--by', 'ama']
  const some = await fileOf('pin,serial_number\nN1,T1\nN3,T3\n')
  const proposed = await json(...words, '--file', some)
  expect(proposed).toEqual({ approval_id: expect.any(String) as string, status: 'pending', count: 2 })
  expect((await json('approvals', 'list')).approvals).toMatchObject([
    { kind: 'vouchers withdraw', subject: 'NOVDEC', what: 'take 2 unsold NOVDEC vouchers out of the stock', after: '1 in stock' },
  ])
  await json('approvals', 'confirm', proposed.approval_id, '--by', 'kofi')
  const { types } = await json('vouchers', 'count')
  expect(types.find(({ name }: { name: string }) => name === 'NOVDEC')).toMatchObject({ available_count: 1, withdrawn_count: 2 })
  expect((await json(...words, '--all')).count).toBe(1)
  expect(await json('vouchers', 'import', '--type', 'NOVDEC', some)).toEqual({ imported: 2, skipped: 0 })
  for (const wrong of [[], ['--all', '--file', some], ['--all', '--imported-from', '2026-01-01']])
    expect(await run(...words, ...wrong)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('Say which') as string })
})
