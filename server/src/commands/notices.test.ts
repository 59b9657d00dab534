import { expect, it } from 'vitest'
import { makeAccount } from '../../test/make-account.ts'
import { setUpCommandLine } from '../../test/set-up-command-line.ts'
import { allCommands } from '../all-commands.ts'

const desk = setUpCommandLine(allCommands)
const { run, json } = desk

type Shown = { id: string; kind: string; text: string; state: string; channel: string }

async function list(...words: string[]): Promise<{ notices: Shown[]; next: string | null }> {
  return (await json('notices', 'list', ...words)) as { notices: Shown[]; next: string | null }
}

it('an account is told of each decision about its senders once, and the operator lists it page by page', async () => {
  const { accountId } = await makeAccount(desk.db)
  const { accountId: other } = await makeAccount(desk.db)
  const account = ['--account', accountId]
  for (const each of [accountId, other]) await json('sender', 'request', 'AmaStores', '--account', each)
  await json('sender', 'approve', 'AmaStores', ...account)
  await json('sender', 'approve', 'AmaStores', ...account, '--default')
  await json('sender', 'reject', 'AmaStores', ...account, '--reason', 'the name of a telecom')
  await json('sender', 'approve', 'AmaStores', ...account)
  await json('sender', 'approve', 'AmaStores', '--account', other)
  const { notices: mine, next } = await list(...account)
  expect(next).toBeNull()
  expect(mine.map(({ kind }) => kind)).toEqual(['sender_approved', 'sender_rejected', 'sender_approved'])
  expect(mine[1]?.text).toContain('the name of a telecom')
  expect(mine).toMatchObject([{ state: 'queued', channel: 'email' }, {}, {}])
  const first = await list('--limit', '2')
  const second = await list('--limit', '2', '--after', String(first.next))
  expect([...first.notices, ...second.notices].map(({ id }) => id)).toEqual((await list()).notices.map(({ id }) => id))
  expect(await list('--from', '2099-01-01')).toEqual({ notices: [], next: null })
})

it('account set-notices keeps what it is not told, and account show says it', async () => {
  const { accountId } = await makeAccount(desk.db)
  const account = ['--account', accountId]
  const set = (...words: string[]) => json('account', 'set-notices', ...account, ...words)
  expect(await set('--low-balance', '50.00')).toMatchObject({ notices: { low_balance: 50, phone: null } })
  expect(await set('--phone', '0241234567')).toMatchObject({ notices: { low_balance: 50, phone: '233241234567' } })
  expect(await set('--low-balance', 'off')).toMatchObject({ notices: { low_balance: null, phone: '233241234567' } })
  expect(await json('account', 'show', ...account)).toMatchObject({ notices: { low_balance: null, phone: '233241234567' } })
  const { entries } = await json('log', '--subject', accountId)
  expect(entries).toMatchObject([
    { action: 'account set-notices', details: { before: { low_balance: 5_000 }, after: { low_balance: null } } },
    {},
    {},
    {},
  ])
})

it.each([
  ['nothing to set', ['account', 'set-notices']],
  ['a threshold of nothing', ['account', 'set-notices', '--low-balance', '0']],
  ['a number of another country', ['account', 'set-notices', '--phone', '+447700900000']],
  ['a page after what is no id', ['notices', 'list', '--after', 'x']],
  ['no notices at all', ['notices', 'list', '--limit', '0']],
])('refuses %s as wrong usage', async (_what, words) => {
  const { accountId } = await makeAccount(desk.db)
  expect((await run(...words, '--account', accountId)).exitCode).toBe(2)
})
