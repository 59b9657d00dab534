import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { makeAccount } from '../../test/make-account.ts'
import { runCommand } from '../../test/run-command.ts'
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts'
import { allCommands } from '../all-commands.ts'

let database: TestDatabase
let folder: string
let accountId: string

beforeAll(async () => {
  database = await createTestDatabase()
  folder = await mkdtemp(join(tmpdir(), 'makola-commands-'))
  accountId = (await makeAccount(database.db)).accountId
  vi.stubEnv('DATABASE_URL', database.applicationUrl)
  vi.stubEnv('DATA_DIR', folder)
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

const run = (...words: string[]) => runCommand(allCommands, [...words, '--json'])

async function senders(...words: string[]): Promise<unknown> {
  const { exitCode, stdout, stderr } = await run('sender', ...words)
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  return (JSON.parse(stdout) as { senders: unknown }).senders
}

it('a sender is requested, approved as the first default, and rejected', async () => {
  const own = { sender: 'AmaStores', type: 'own', account_id: accountId }
  const account = ['--account', accountId]
  expect(await senders('request', 'AmaStores', ...account)).toMatchObject([{ ...own, status: 'requested', is_default: false }])
  expect(await senders('list', '--status', 'requested')).toMatchObject([own])
  expect(await senders('approve', 'AmaStores', ...account)).toMatchObject([{ ...own, status: 'approved', is_default: true }])
  expect(await senders('reject', 'AmaStores', ...account, '--reason', 'the name of a telecom')).toMatchObject([
    { ...own, status: 'rejected', is_default: false, reason: 'the name of a telecom' },
  ])
  expect(await senders('request', 'AmaStores', ...account)).toMatchObject([{ status: 'requested', reason: null }])
  const log = await database.db.selectFrom('operator_log').select('action').orderBy('id').execute()
  expect(log.map(({ action }) => action).filter((action) => action.startsWith('sender'))).toEqual([
    'sender request',
    'sender approve',
    'sender reject',
    'sender request',
  ])
})

it('the first sender of the pool becomes its default, until another is made it', async () => {
  expect(await senders('pool', 'add', 'Makola')).toMatchObject([{ sender: 'Makola', type: 'pool', is_default: true }])
  expect(await senders('pool', 'add', '1234', '--default')).toMatchObject([{ sender: '1234', is_default: true }])
  expect(await senders('list')).toMatchObject([{ sender: '1234', is_default: true }, { sender: 'Makola', is_default: false }, {}])
})

it.each([
  ['a name that no handset shows', ['request', 'AmaStoresGhana', '--account']],
  ['a sender that nobody asked for', ['approve', 'Nobody', '--account']],
])('refuses %s', async (_what, words) => {
  const { exitCode, stdout } = await run('sender', ...words, accountId)
  expect([exitCode, stdout === '' || 'error' in (JSON.parse(stdout) as object)]).toEqual([1, true])
})
