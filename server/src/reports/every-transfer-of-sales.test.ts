import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeAccount } from '../../test/make-account.ts'
import { readTodayThatLasts } from '../../test/running/today-that-lasts.ts'
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts'
import { credits } from '../money/amount.ts'
import { runAudit } from '../money/audit.ts'
import { pesewas } from '../money/pesewas.ts'
import { newId } from '../platform/database/new-id.ts'
import { writeSetting } from '../platform/settings/settings.ts'
import { products } from '../products/products.ts'
import { buySmsCredits } from '../products/sms/credits/buy-sms-credits.ts'
import { readCountedSales } from './read-counted-sales.fixture.ts'
import { groupings } from './read-sales.ts'
import { readTaxes } from './read-taxes.ts'
import { reportAuditChecks } from './reports.audit.ts'
import { taxRates } from './reports.settings.ts'
import { rollUp } from './roll-up.ts'

const today = await readTodayThatLasts()
const period = { from: today, to: today }
let database: TestDatabase
let accountId: string

beforeAll(async () => {
  database = await createTestDatabase()
  accountId = (await makeAccount(database.db, { balancePesewas: 10_000 })).accountId
  await rollUp(database.db, products)
  const pack = { credits: credits(1_000), price: pesewas(4_000) }
  await buySmsCredits(database, { ...pack, accountId, reference: 'pack-1', actor: 'ama@example.test', personId: newId() })
  await rollUp(database.db, products)
})
afterAll(() => database.drop())

const audit = async (isFull = true) => (await runAudit(database.db, reportAuditChecks, { isFull })).checks

describe('SMS credits that a reseller buys', () => {
  it.each(groupings)('are sales of their day in the report by %s', async (by) => {
    const { rows, total } = await readCountedSales(database.db, period, by)
    expect(total).toMatchObject({ salesPesewas: 4_000, refundsPesewas: 0, marginPesewas: 4_000, orders: 0 })
    expect(rows.map(({ figures }) => figures.salesPesewas)).toEqual([4_000])
  })

  it('are a product of their own', async () => {
    const { rows } = await readCountedSales(database.db, period, 'product')
    expect(rows.map(({ key }) => key)).toEqual(['sms_credits'])
  })

  it('are in the base of taxes on sales', async () => {
    await writeSetting(database.db, taxRates, [{ name: 'Levy', percent: 2.5, on: 'net_sales' }], 'test')
    expect(await readTaxes(database.db, period)).toMatchObject({ totalPesewas: 100, taxes: [{ basePesewas: 4_000 }] })
  })

  it.each([true, false])('agree with the ledger (full: %s)', async (isFull) => {
    expect(Object.values(await audit(isFull)).every((bad) => bad === 0)).toBe(true)
  })
})

describe('the audit of daily sums', () => {
  it('finds a transfer to or from sales of a kind that nobody taught the reports', async () => {
    await sql`
      insert into transfers (cause_id, kind, account_id, from_purse, to_purse, amount, from_entry_no, from_balance_after)
      values (${newId()}, 'gift_card', ${accountId}, 'main', 'sales', 250, 100, 0)`.execute(database.ownerDb)
    await rollUp(database.db, products)
    expect(await audit()).toMatchObject({ daily_sales_differ_from_the_ledger: 1 })
    expect(await audit(false)).toMatchObject({ daily_sales_differ_from_the_ledger: 1 })
  })
})
