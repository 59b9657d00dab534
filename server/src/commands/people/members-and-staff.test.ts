import process from 'node:process'
import { Readable } from 'node:stream'
import { describe, expect, it, vi } from 'vitest'
import { setUpCommandLine } from '../../../test/set-up-command-line.ts'
import { allCommands } from '../../all-commands.ts'
import { readConfig } from '../../config.ts'
import { openPeople } from '../../dashboard-routes.ts'
import { resetPassword } from '../../people/passwords.ts'
import { signIn } from '../../people/sign-in.ts'
import { signUp } from '../../people/sign-up.ts'
import { loadSecretsKeys } from '../../platform/secrets/load-secrets-keys.ts'

const desk = setUpCommandLine(allCommands, { SECRETS_KEY: Buffer.alloc(32, 1).toString('base64') })
const { run, json } = desk
const address = '127.0.0.1'
const visitor = { session: undefined, secondFactor: undefined, device: undefined, userAgent: '', address }
const password = 'a password of the office'

async function openTestPeople() {
  const config = readConfig()
  return openPeople(config, { db: desk.db, secretsKeys: await loadSecretsKeys(config) })
}

/** Runs a command with a text on its standard input. */
async function withInput<T>(text: string, work: () => Promise<T>): Promise<T> {
  const original = Object.getOwnPropertyDescriptor(process, 'stdin')
  Object.defineProperty(process, 'stdin', { configurable: true, get: () => Readable.from([Buffer.from(text)]) })
  try {
    return await work()
  } finally {
    if (original) Object.defineProperty(process, 'stdin', original)
    vi.restoreAllMocks()
  }
}

async function makeAccount(email: string): Promise<string[]> {
  await json('account', 'create', '--email', email, '--name', 'Shop', '--role', 'agent')
  return ['--account', email]
}

const passwordRow = async (email: string) =>
  desk.db
    .selectFrom('person_credentials')
    .innerJoin('persons', 'persons.id', 'person_credentials.person_id')
    .select('person_credentials.password')
    .where('persons.email', '=', email)
    .execute()

describe('makola member', () => {
  it('lets a person in with a link, with which it sets its password once', async () => {
    const account = await makeAccount('shop@example.test')
    const made = await json('member', 'create', ...account, '--email', 'Kofi@Example.test', '--role', 'buyer')
    expect(made).toEqual({
      person_id: expect.any(String),
      email: 'kofi@example.test',
      set_up_link: expect.stringMatching(/^https:\/\/localhost:8443\/app\/set-password#token=\S+$/),
    })
    const people = await openTestPeople()
    const token = String(made['set_up_link']).split('#token=')[1] ?? ''
    await resetPassword(people, { token, password }, visitor)
    await expect(resetPassword(people, { token, password: 'another password' }, visitor)).rejects.toThrow('not valid any more')
    expect((await signIn(people, { email: 'kofi@example.test', password }, visitor)).status).toBe('signed_in')
    expect(await json('member', 'list', ...account)).toEqual([
      { person_id: made['person_id'], name: 'kofi', email: 'kofi@example.test', role: 'buyer', has_two_factor: false },
    ])
    const log = await desk.db
      .selectFrom('operator_log')
      .select(['action', 'details'])
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    expect(log).toMatchObject({ action: 'member create', details: { email: 'kofi@example.test', role: 'buyer' } })
  })

  it('takes a person out, whose sessions end, when another owner stays', async () => {
    const account = await makeAccount('leaving@example.test')
    await json('member', 'create', ...account, '--email', 'stays@example.test', '--role', 'viewer')
    await withInput(`${password}\n`, () =>
      json('member', 'create', ...account, '--email', 'esi@example.test', '--role', 'owner', '--password-stdin'),
    )
    await signIn(await openTestPeople(), { email: 'esi@example.test', password }, visitor)
    const remove = ['member', 'remove', ...account, '--email', 'ESI@example.test']
    const demote = ['member', 'set-role', ...account, '--email', 'esi@example.test', '--role', 'viewer']
    for (const words of [remove, demote]) {
      expect(await run(...words)).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('is the last owner') })
    }
    await json('member', 'set-role', ...account, '--email', 'stays@example.test', '--role', 'owner')
    const removed = await json(...remove)
    expect(removed).toMatchObject({ email: 'esi@example.test' })
    expect(await json('member', 'list', ...account)).toMatchObject([{ email: 'stays@example.test', role: 'owner' }])
    const sessions = desk.db.selectFrom('person_sessions').select('id').where('person_id', '=', String(removed['person_id']))
    expect(await sessions.execute()).toEqual([])
    expect((await run('member', 'remove', ...account, '--email', 'esi@example.test')).exitCode).toBe(1)
  })

  it('keeps a person in one account', async () => {
    const [first, second] = [await makeAccount('one@example.test'), await makeAccount('two@example.test')]
    await json('member', 'create', ...first, '--email', 'both@example.test', '--role', 'viewer')
    const refused = await run('member', 'create', ...second, '--email', 'both@example.test', '--role', 'viewer')
    expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('one person acts for one account') })
  })

  it.each([
    ['role', ['--email', 'a@example.test', '--role', 'king'], 2],
    ['e-mail', ['--email', 'nobody', '--role', 'owner'], 2],
    ['account', ['--account', 'none@example.test', '--email', 'a@example.test', '--role', 'owner'], 1],
  ])('refuses an unknown %s', async (name, words, exitCode) => {
    const account = name === 'account' ? [] : await makeAccount(`unknown-${name}@example.test`)
    expect((await run('member', 'create', ...account, ...words)).exitCode).toBe(exitCode)
  })
})

it('makola member takes a lost second factor away by two people, and keeps one that was not lost', async () => {
  const account = await makeAccount('lost@example.test')
  const email = 'loser@example.test'
  await json('member', 'create', ...account, '--email', email, '--role', 'owner')
  await desk.database.ownerDb.updateTable('persons').set({ two_factor_enabled: true }).where('email', '=', email).execute()
  const about = [...account, '--email', email, '--reason', 'called the number we know']
  const first = await json('member', 'reset-second-factor', ...about, '--by', 'ama')
  expect(first).toMatchObject({ state: 'proposed' })
  expect(await json('member', 'keep-second-factor', ...about, '--by', 'ama')).toEqual({ accepted: true })
  expect((await run('approvals', 'confirm', String(first['approval_id']), '--by', 'kofi')).exitCode).toBe(1)
  const { approval_id: id } = await json('member', 'reset-second-factor', ...about, '--by', 'ama')
  expect((await run('approvals', 'confirm', String(id), '--by', 'kofi')).exitCode).toBe(0)
  expect(await json('member', 'list', ...account)).toMatchObject([{ email, has_two_factor: false }])
})

describe('makola staff', () => {
  it('lets a person in with a password from the standard input, which is not changed for one who has it', async () => {
    const create = (text: string, ...words: string[]) =>
      withInput(text, () => run('staff', 'create', '--email', 'boss@example.test', '--password-stdin', ...words))
    expect((await create('short\n', '--role', 'owner')).exitCode).toBe(2)
    const made = await create(`${password}\n`, '--role', 'owner', '--json')
    expect(JSON.parse(made.stdout)).toEqual({ person_id: expect.any(String), email: 'boss@example.test' })
    expect((await signIn(await openTestPeople(), { email: 'boss@example.test', password }, visitor)).status).toBe('signed_in')
    expect((await create('another password', '--role', 'auditor')).stderr).toContain('has a password already')
    expect(await run('staff', 'create', '--email', 'boss@example.test', '--role', 'auditor')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('one of the staff already'),
    })
    expect(await json('staff', 'list')).toMatchObject([{ email: 'boss@example.test', role: 'owner' }])
  })

  it('keeps an owner, whom others follow', async () => {
    const boss = ['--email', 'boss@example.test']
    for (const words of [
      ['remove', ...boss],
      ['set-role', ...boss, '--role', 'auditor'],
    ]) {
      expect(await run('staff', ...words)).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('is the last owner') })
    }
    await json('staff', 'create', '--email', 'next@example.test', '--role', 'support')
    await json('staff', 'set-role', '--email', 'next@example.test', '--role', 'owner')
    expect(await json('staff', 'end-sessions', ...boss)).toMatchObject({ email: 'boss@example.test', ended: 1 })
    await json('staff', 'remove', ...boss, '--reason', 'left')
    expect(await json('staff', 'list')).toMatchObject([{ email: 'next@example.test', role: 'owner' }])
  })

  it('takes a lost second factor away with a reason, and refuses where none is on', async () => {
    const words = ['reset-second-factor', '--email', 'next@example.test', '--reason', 'lost the phone']
    expect(await run('staff', ...words)).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('no second factor') })
    await desk.database.ownerDb.updateTable('persons').set({ two_factor_enabled: true }).execute()
    expect(await json('staff', ...words)).toMatchObject({ email: 'next@example.test', has_two_factor: false })
    const log = await desk.db.selectFrom('operator_log').selectAll().orderBy('id', 'desc').executeTakeFirstOrThrow()
    expect(log).toMatchObject({ action: 'staff reset-second-factor', details: { reason: 'lost the phone' } })
  })

  it('gives nothing to somebody who signed up with the person’s e-mail before and never confirmed it', async () => {
    const people = await openTestPeople()
    await signUp(people, { name: 'Intruder', email: 'chief@example.test', password }, address)
    const made = await json('staff', 'create', '--email', 'chief@example.test', '--role', 'owner')
    expect(made['set_up_link']).toMatch(/\/desk\/set-password#token=/)
    expect(await passwordRow('chief@example.test')).toEqual([])
    await expect(signIn(people, { email: 'chief@example.test', password }, visitor)).rejects.toThrow('not right')
  })
})
