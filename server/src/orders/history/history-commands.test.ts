import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { makeAccount } from '../../../test/make-account.ts'
import { setUpCommandLine } from '../../../test/set-up-command-line.ts'
import { allCommands } from '../../all-commands.ts'
import { newId } from '../../platform/database/new-id.ts'
import { findOpenGap } from '../../platform/history/gaps.ts'

const desk = setUpCommandLine(allCommands, { SECRETS_KEY: randomBytes(32).toString('base64') })
const { run, json } = desk

/** The lines of the operator's log about history, the oldest first. */
const linesOfHistory = async () => {
  const { entries } = await json('log', '--limit', '20')
  return (entries as { action: string }[])
    .map(({ action }) => action)
    .filter((action) => action.startsWith('history'))
    .toReversed()
}

it('as long as history has not gone back there is nothing to accept and nothing to release', async () => {
  expect((await run('history', 'show')).stdout).toBe('History has never gone back.\n')
  expect(await run('history', 'accept', '--reason', 'r', '--by', 'ama')).toMatchObject({ exitCode: 1 })
  expect(await run('history', 'release', 'order-1', '--reason', 'r', '--by', 'ama')).toMatchObject({ exitCode: 1 })
})

it('a person holds everything before a start, two people go on, and each act is in the log', async () => {
  expect(await json('history', 'hold', '--reason', 'restored the backup of 3', '--by', 'ama')).toMatchObject({ is_held: true })
  expect((await run('history', 'show')).stdout).toContain('Nothing is sold and nothing is sent.')
  expect(await json('history', 'accept', '--reason', 'compared', '--by', 'ama')).toMatchObject({ status: 'pending' })
  expect((await run('history', 'show')).stdout).toContain('Nothing is sold and nothing is sent.')
  const accepted = await run('history', 'accept', '--reason', 'compared', '--by', 'kofi')
  expect(accepted.stdout).toContain('Each API and worker goes on at its next look')
  expect(await json('history', 'show')).toMatchObject({ is_held: false, gap: { noticed_by: expect.stringContaining('ama') } })
  expect(await findOpenGap(desk.db)).toBeUndefined()
  expect(await linesOfHistory()).toEqual(['history hold', 'history accept propose', 'history accept confirm'])
})

async function addMissing(accountId: string, kind: string, reference: string, repeatKey: string | null = reference) {
  const gap = await findOpenGap(desk.db)
  const missing = { gap_id: gap?.id ?? '', order_id: newId(), account_id: accountId, kind, reference, repeat_key: repeatKey }
  await desk.db
    .insertInto('missing_orders')
    .values({ ...missing, price: 450, acknowledged_at: new Date() })
    .execute()
}

it('a reference that is known to be missing is released once, by name, with its account in the log', async () => {
  const { accountId } = await makeAccount(desk.db)
  await run('history', 'hold', '--reason', 'r', '--by', 'ama')
  await addMissing(accountId, 'data', 'lost-1')
  expect(await json('history', 'show')).toMatchObject({ missing: [{ reference: 'lost-1', released_at: null }] })
  expect(await json('history', 'release', 'lost-1', '--reason', 'never sent', '--by', 'ama')).toEqual({ released: 1 })
  const again = await run('history', 'release', 'lost-1', '--reason', 'never sent', '--by', 'ama')
  expect(again).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('No missing order') })
  expect(await linesOfHistory()).toContain('history release')
})

it('a reference is placed again once, and only where a supplier can be asked and a request with it is recognised', async () => {
  const { accountId } = await makeAccount(desk.db)
  await addMissing(accountId, 'data', 'lost-2')
  await addMissing(accountId, 'results_checker', 'lost-3')
  await addMissing(accountId, 'utilities', 'UTIL-ECG-4', null)
  const place = (reference: string) => run('history', 'place', reference, '--reason', 'delivered', '--by', 'ama')
  expect((await place('lost-2')).exitCode).toBe(0)
  expect(await place('lost-2')).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('No missing order') })
  expect(await place('lost-3')).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('No supplier can be asked') })
  expect(await place('UTIL-ECG-4')).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('no reference of the reseller'),
  })
  const { missing } = await json('history', 'show')
  expect(missing).toMatchObject([
    { reference: 'lost-1', is_placed_again: false },
    { reference: 'lost-2', is_placed_again: true },
    { reference: 'lost-3', released_at: null },
    { reference: 'UTIL-ECG-4', released_at: null },
  ])
  expect(await linesOfHistory()).toContain('history place')
})
