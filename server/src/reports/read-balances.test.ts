import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeAccount } from '../../test/make-account.ts'
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts'
import { runAudit } from '../money/audit.ts'
import { creditWallet } from '../money/credit-wallet.ts'
import { transferMany } from '../money/transfer-many.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import { newId } from '../platform/database/new-id.ts'
import { repeatableNumbers } from '../platform/repeatable-numbers.ts'
import { products } from '../products/products.ts'
import { readBalances } from './read-balances.ts'
import { reportAuditChecks } from './reports.audit.ts'
import { rollUp } from './roll-up.ts'

const hours = 3_600_000
const moves = 120
const random = repeatableNumbers(11)

let database: TestDatabase
const accountIds: string[] = []

/** Writes random transfers into and out of the three purses. */
async function moveSome(count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    const accountId = accountIds[Math.floor(random() * accountIds.length)] as string
    const causeId = newId()
    const amount = 1 + Math.floor(random() * 90)
    const [kind, fromPurse, toPurse] = (
      [
        ['adjustment', 'main', 'adjustments'],
        ['adjustment', 'adjustments', 'main'],
        ['commission', 'commission_expense', 'commission'],
        ['sms_credit', 'sms_credit_sales', 'sms_credits'],
      ] as const
    )[Math.floor(random() * 4)] as ['adjustment', 'main', 'adjustments']
    await inTransaction(database.db, (tx) => transferMany(tx, [{ causeId, kind, accountId, fromPurse, toPurse, amount }]))
  }
}

beforeAll(async () => {
  database = await createTestDatabase()
  for (let n = 0; n < 3; n += 1) {
    const { accountId } = await makeAccount(database.db, {})
    accountIds.push(accountId)
    await inTransaction(database.db, (tx) => creditWallet(tx, { accountId, purse: 'main', amount: 1_000_000, actor: 'test' }))
  }
  await moveSome(moves)
  // Changes their times so that one happened every five hours, up to now.
  await sql`alter table transfers disable trigger all`.execute(database.ownerDb)
  await sql`
    update transfers set created_at = now() - (ranked.steps * interval '5 hours')
    from (select cause_id, kind, count(*) over () - row_number() over (order by created_at) as steps from transfers) as ranked
    where ranked.cause_id = transfers.cause_id and ranked.kind = transfers.kind`.execute(database.ownerDb)
})
afterAll(() => database.drop())

/** The sum of the balances after each wallet's last entry: another way to the same figure. */
async function readByLastEntries(before: Date): Promise<Record<string, number>> {
  const { rows } = await sql<{ purse: string; balance: number }>`
    with entries as (
      select account_id, from_purse as purse, from_entry_no as entry_no, from_balance_after as balance
      from transfers where from_entry_no is not null and created_at < ${before}
      union all
      select account_id, to_purse, to_entry_no, to_balance_after from transfers where to_entry_no is not null and created_at < ${before}
    ), last as (
      select distinct on (account_id, purse) purse, balance from entries order by account_id, purse, entry_no desc
    )
    select purse, sum(balance)::bigint as balance from last group by purse`.execute(database.db)
  return { main: 0, commission: 0, sms_credits: 0, ...Object.fromEntries(rows.map((row) => [row.purse, row.balance])) }
}

async function expectTrueAtAnyMoment(): Promise<void> {
  const moments = Array.from({ length: 40 }, () => new Date(Date.now() - random() * (moves + 10) * 5 * hours))
  for (const before of [...moments, new Date(), new Date(Date.now() + hours)]) {
    const told = await readBalances(database.db, before)
    const balances = Object.fromEntries(told.map(({ purse, balance }) => [purse, balance.amount]))
    expect({ before, ...balances }).toEqual({ before, ...(await readByLastEntries(before)) })
  }
}

it('is told for any moment, before anything was counted', expectTrueAtAnyMoment)

it('is told for any moment from daily sums, and for what is not counted yet', async () => {
  while (!(await rollUp(database.db, products)).isComplete);
  await expectTrueAtAnyMoment()
  await moveSome(20)
  await expectTrueAtAnyMoment()
  await rollUp(database.db, products)
  const { checks } = await runAudit(database.db, reportAuditChecks, { isFull: true })
  expect(checks['daily_purses_differ_from_transfers']).toBe(0)
})

it('is now what the wallets hold', async () => {
  const { rows } = await sql<{ purse: string; balance: number }>`
    select purse, sum(balance)::bigint as balance from wallets group by purse`.execute(database.db)
  const told = await readBalances(database.db, undefined)
  expect(Object.fromEntries(told.map(({ purse, balance }) => [purse, balance.amount]))).toEqual(
    Object.fromEntries(rows.map((row) => [row.purse, row.balance])),
  )
  expect(told.map(({ purse, balance }) => [purse, balance.unit])).toEqual([
    ['main', 'pesewas'],
    ['commission', 'pesewas'],
    ['sms_credits', 'credits'],
  ])
  expect(await readBalances(database.db, new Date(Date.now() + hours))).toEqual(told)
})

it('looks into the transfers of the day in question alone', async () => {
  const before = new Date(Date.now() - 100 * hours)
  const plan = sql<{ 'QUERY PLAN': string }>`
    explain select sum(amount) from transfers where created_at >= ${new Date(before.getTime() - 24 * hours)} and created_at < ${before}`
  const { rows } = await database.db.connection().execute(async (connection) => {
    await sql`set enable_seqscan = off`.execute(connection)
    const explained = await plan.execute(connection)
    await sql`reset enable_seqscan`.execute(connection)
    return explained
  })
  expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toMatch(/transfers_\d{4}_\d\d_created_at_idx/)
})
