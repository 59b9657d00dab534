import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeAccount } from '../../test/make-account.ts'
import { readTodayThatLasts } from '../../test/running/today-that-lasts.ts'
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts'
import { allCostSubjects } from '../all-cost-subjects.ts'
import { type CostEntry, listCosts, setUnitCost } from '../orders/costs/unit-costs.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import { newId } from '../platform/database/new-id.ts'
import { products } from '../products/products.ts'
import { addDays } from './period.ts'
import { readCountedSales } from './read-counted-sales.fixture.ts'
import { rollUp } from './roll-up.ts'

const today = await readTodayThatLasts()
const tenDaysAgo = addDays(today, -10)
const at = (day: string) => new Date(`${day}T00:00:10Z`)
const typeId = newId()
const batchId = newId()
let database: TestDatabase
let accountId: string
let entries = 0

async function move(cause: string, kind: string, purses: { from: string; to: string }, amount: number, moment: Date) {
  entries += 1
  const isOut = ['main', 'sms_credits'].includes(purses.from)
  await sql`insert into transfers (cause_id, kind, account_id, from_purse, to_purse, amount, from_entry_no, from_balance_after,
      to_entry_no, to_balance_after, created_at)
    values (${cause}, ${kind}, ${accountId}, ${purses.from}, ${purses.to}, ${amount}, ${isOut ? entries : null}, ${isOut ? 0 : null},
      ${isOut ? null : entries}, ${isOut ? null : 0}, ${moment})`.execute(database.ownerDb)
}

/** Writes an order that was paid and completed in the same moment. */
async function sell(kind: string, price: number, moment: Date): Promise<string> {
  const id = newId()
  await sql`insert into orders (id, account_id, kind, reference, status, price, recipient, details, created_at)
    values (${id}, ${accountId}, ${kind}, ${id}, 'completed', ${price}, '0241234567', '{}', ${moment})`.execute(database.db)
  const isSms = kind === 'sms'
  await move(id, 'purchase', isSms ? { from: 'sms_credits', to: 'sms_sales' } : { from: 'main', to: 'sales' }, price, moment)
  if (kind !== 'results_checker') {
    await sql`insert into order_events (order_id, from_status, to_status, actor, created_at)
      values (${id}, 'processing', 'completed', 'test', ${moment})`.execute(database.db)
  }
  return id
}

/** Sells two vouchers: one with a batch, and one from before batches were stored. */
async function sellVouchers(moment: Date): Promise<void> {
  const orderId = await sell('results_checker', 4_000, moment)
  for (const importedAt of [at(tenDaysAgo), at(addDays(today, -100))]) {
    await sql`insert into vouchers (id, type_id, pin, pin_hash, serial_number, serial_number_hash, order_id, imported_at, sold_at)
      values (gen_random_uuid(), ${typeId}, '', sha256(gen_random_uuid()::text::bytea), '', sha256(gen_random_uuid()::text::bytea), ${orderId},
        ${importedAt}, ${moment})`.execute(database.ownerDb)
  }
}

async function sendCampaign(moment: Date): Promise<void> {
  const id = await sell('sms', 6, moment)
  await sql`insert into sms_campaigns (id, account_id, status, source, sender, message, encoding, segment_rule, segments, recipients,
      recipients_count, credits_charged, open_count, is_bulk, settled_at)
    values (${id}, ${accountId}, 'completed', 'api', 'AMA', 'x', 'gsm7', 'standard', 2, '{233241234567,233241234568,233241234569}', 3, 6, 0, false, now())`.execute(
    database.ownerDb,
  )
  for (const [n, status] of ['delivered', 'delivered', 'failed'].entries()) {
    await sql`insert into sms_messages (campaign_id, n, recipient, network, is_bulk, status, submit, supplier)
      values (${id}, ${n + 1}, '233241234567', 'MTN', false, ${status}, 'answered', 'smsc')`.execute(database.ownerDb)
  }
}

async function payIn(way: string, moment: Date): Promise<void> {
  const id = newId()
  await sql`insert into top_ups (id, account_id, way, reference, page_reference, amount, fee, made_by, state, ended_at, transfer_reference,
      transfer_key)
    values (${id}, ${accountId}, ${way}, ${id}, ${id}, 10000, 100, 'ama', 'credited', now(), ${way === 'transfer' ? id : null},
      ${way === 'transfer' ? id : null})`.execute(database.ownerDb)
  await move(id, 'top_up', { from: 'top_ups', to: 'main' }, 10_000, moment)
}

beforeAll(async () => {
  database = await createTestDatabase()
  accountId = (await makeAccount(database.db, {})).accountId
  await sql`insert into suppliers (name, adapter) values ('smsc', 'smpp')`.execute(database.ownerDb)
  await sql`insert into voucher_types (id, name, price_customer, price_agent, price_dealer) values (${typeId}, 'BECE', 3, 2, 1)`.execute(
    database.ownerDb,
  )
  await sql`insert into voucher_batches (id, type_id, imported_at, imported, skipped) values (${batchId}, ${typeId}, ${at(tenDaysAgo)}, 50, 0)`.execute(
    database.ownerDb,
  )
  for (const day of [today, addDays(today, -5)]) {
    await sellVouchers(at(day))
    await sell('afa', 1_200, at(day))
    await sendCampaign(at(day))
    await payIn('paystack', at(day))
    await payIn('transfer', at(day))
  }
  while (!(await rollUp(database.db, products)).isComplete);
})
afterAll(() => database.drop())

const enter = (entry: Omit<CostEntry, 'actor' | 'percent'> & { percent?: number }) =>
  inTransaction(database.db, (tx) => setUnitCost(tx, allCostSubjects, { percent: 0, actor: 'test', ...entry }))

async function figures(day: string) {
  while (!(await rollUp(database.db, products)).isComplete);
  const { rows, total } = await readCountedSales(database.db, { from: day, to: day }, 'product')
  const of = (product: string) => {
    const found = rows.find(({ key }) => key === product)?.figures
    return [found?.costPesewas, found?.costUnknownOrders]
  }
  return { vouchers: of('results_checker'), afa: of('afa'), sms: of('sms'), topUps: of('top_ups'), total }
}

describe('costs that no supplier reports', () => {
  it('are unknown until somebody enters them, and the report says of how many', async () => {
    const { total, ...known } = await figures(today)
    expect(known).toEqual({ vouchers: [0, 1], afa: [0, 1], sms: [0, 1], topUps: [0, 1] })
    expect(total).toMatchObject({ costPesewas: 0, costUnknownOrders: 4, marginPesewas: 5_200 })
  })

  it('stand in the report of every day since they count, those before stay as they are', async () => {
    await enter({ product: 'results_checker', key: batchId, ghs: 15.5 })
    expect((await figures(today)).vouchers).toEqual([1_550, 1])
    await enter({ product: 'results_checker', key: typeId, ghs: 14, from: at(addDays(today, -200)) })
    await enter({ product: 'afa', key: '', ghs: 8, from: at(today) })
    await enter({ product: 'sms', key: 'smsc', ghs: 0.0255, from: at(addDays(today, -6)) })
    await enter({ product: 'top_ups', key: 'paystack', ghs: 0, percent: 1.95, from: at(addDays(today, -6)) })
    const { total, ...known } = await figures(today)
    // Two messages of two segments: 10.2 pesewas. 1.95 % of the GHS 101.00 that were paid, of which the payer bore GHS 1.00.
    expect(known).toEqual({ vouchers: [2_950, 0], afa: [800, 0], sms: [10, 0], topUps: [97, 0] })
    expect(total).toMatchObject({ costPesewas: 3_857, costEstimatedPesewas: 0, costUnknownOrders: 0, marginPesewas: 1_343 })
    const { afa, vouchers } = await figures(addDays(today, -5))
    expect({ afa, vouchers }).toEqual({ afa: [0, 1], vouchers: [2_950, 0] })
  })

  it('are changed by entering them again, and what was entered stays readable', async () => {
    await enter({ product: 'results_checker', key: batchId, ghs: 16, note: 'the invoice says so' })
    for (const day of [today, addDays(today, -5)]) expect((await figures(day)).vouchers).toEqual([3_000, 0])
    const costs = await listCosts(database.db, allCostSubjects)
    expect(costs.find(({ key }) => key === batchId)?.cost).toMatchObject({ ghs: 16, note: 'the invoice says so', actor: 'test' })
    const { rows } = await sql`select pesewas::float8 from unit_costs where key = ${batchId} order by cost_no`.execute(
      database.db,
    )
    expect(rows).toEqual([{ pesewas: 1_550 }, { pesewas: 1_600 }])
  })

  it('are the same in every grouping, and when everything is counted anew', async () => {
    const totals = async () => (await readCountedSales(database.db, { from: tenDaysAgo, to: today }, 'supplier')).rows
    const before = await totals()
    expect(before.find(({ key }) => key === 'paystack')?.figures.costPesewas).toBe(194)
    await database.db.deleteFrom('report_progress').execute()
    while (!(await rollUp(database.db, products)).isComplete);
    expect(await totals()).toEqual(before)
  })

  it.each([
    [{ product: 'data', key: 'MTN', ghs: 1 }, 'No cost is entered for data'],
    [{ product: 'top_ups', key: 'nobody', ghs: 1 }, 'has no "nobody" that costs anything; known: paystack'],
    [{ product: 'afa', key: '', ghs: 1, percent: 5 }, 'has a cost, and no percentage'],
  ])('are refused for what has none: %j', async (entry, message) => {
    await expect(enter(entry)).rejects.toThrow(message)
  })
})
