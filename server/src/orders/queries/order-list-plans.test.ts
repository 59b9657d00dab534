import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { explainStatements, type ScanOfPlan } from '../../../test/running/explain-statements.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts'
import type { Db } from '../../platform/database/database.ts'
import { products } from '../../products/products.ts'
import { findSameOrders } from '../checking/find-same-orders.ts'
import { listOrders } from './list-orders.ts'
import { largeAccountId, makeManyOrders, oldNetwork, oldSupplier, smallAccountId } from './many-orders.fixture.ts'
import type { OrderQuery } from './order-filters.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
  await makeManyOrders(database.ownerDb, 1_000_000)
})
afterAll(() => database.drop())

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000)
const week = { from: hoursAgo(24 * 100), to: hoursAgo(24 * 93) }
const recipients = ['0240007919', '233240007919']

/**
 * How many rows of tables and indexes a page of 50 orders may read. For each order: its index entry, its row, its place
 * in the schedule, its account and its attempt. With two filters, a few more are counted first, and some that do not
 * fit are read.
 */
const rowsMax = { filter: 1_000, pair: 15_000 }

/** The queries that may read more, with the reason. */
const rowsMaxOf: Readonly<Record<string, number>> = {
  // The orders that are open are newer than all that are completed.
  completed: 10_000,
  // The moves to `failed` and `refunded` are compared in their index: 20,000 of each, and all but 97 orders have both.
  failed: 60_000,
  'a large account and failed': 130_000,
  // The few orders that fit are the oldest of an account with 100,000 orders, or lie far apart.
  'a large account and a rare product': 60_000,
  'a large account and a supplier of long ago': 220_000,
  // The large account bought nothing on this network, so all its airtime of the week is read in vain.
  'a large account, a product, a network and a time': 30_000,
  // Bills of other billers lie between those of this one. How many are read depends on how full the present month is.
  'a biller': 2_000,
  // The orders of two months are few, so all of them are read and sorted.
  'a rare product': 2_000,
  // The oldest month has few orders, mostly of another supplier, and is read to its end. How many depends on the day.
  'a supplier and stuck': 45_000,
  // All 3,000 open orders are read.
  stuck: 20_000,
  'a product and processing': 45_000,
  'an account and pending': 45_000,
}

const filters: Readonly<Record<string, Omit<OrderQuery, 'limit'>>> = {
  nothing: {},
  'a recipient': { recipients },
  'a recipient that nobody has': { recipients: ['0200000000'] },
  'a small account': { accountId: smallAccountId },
  'a large account': { accountId: largeAccountId },
  'a product': { product: 'data' },
  'a rare product': { product: 'afa' },
  'a network': { network: 'MTN' },
  'a biller': { network: 'dstv' },
  'a network of long ago': { network: oldNetwork },
  'a network that nobody has': { network: 'Glo' },
  'a supplier': { supplier: 'datamart' },
  'a supplier of long ago': { supplier: oldSupplier },
  'a supplier that nobody has': { supplier: 'nobody' },
  queued: { status: 'queued' },
  pending: { status: 'pending' },
  processing: { status: 'processing' },
  completed: { status: 'completed' },
  failed: { status: 'failed' },
  refunded: { status: 'refunded' },
  cancelled: { status: 'cancelled' },
  stuck: { isStuckOnly: true },
  held: { isHeldOnly: true },
  contradicted: { isContradictedOnly: true },
  'a week': week,
  'a day to come': { from: hoursAgo(-24) },
}

const pairs: Readonly<Record<string, Omit<OrderQuery, 'limit'>>> = {
  'a recipient and a product': { recipients, product: 'data' },
  'a recipient and a status': { recipients, status: 'refunded' },
  'an account and orders by their ids': { accountId: largeAccountId, ids: [largeAccountId, smallAccountId] },
  'an account and a recipient': { accountId: smallAccountId, recipients },
  'an account and a week': { accountId: smallAccountId, ...week },
  'a large account and a week': { accountId: largeAccountId, ...week },
  'a large account, from a moment and before another': { accountId: largeAccountId, from: week.from, before: week.to },
  'a large account, a product, a network and a time': {
    accountId: largeAccountId,
    product: 'airtime',
    network: 'Telecel',
    from: week.from,
    before: week.to,
  },
  'an account and a product': { accountId: smallAccountId, product: 'airtime' },
  'a large account and a rare product': { accountId: largeAccountId, product: 'afa' },
  'an account and a network': { accountId: smallAccountId, network: 'Telecel' },
  'an account and a supplier': { accountId: smallAccountId, supplier: 'datamart' },
  'a large account and a supplier of long ago': { accountId: largeAccountId, supplier: oldSupplier },
  'an account and completed': { accountId: smallAccountId, status: 'completed' },
  'an account and refunded': { accountId: smallAccountId, status: 'refunded' },
  'a large account and failed': { accountId: largeAccountId, status: 'failed' },
  'an account and pending': { accountId: largeAccountId, status: 'pending' },
  'a product and a network': { product: 'data', network: 'Telecel' },
  'a product and a network of long ago': { product: 'airtime', network: oldNetwork },
  'a product and refunded': { product: 'airtime', status: 'refunded' },
  'a product and processing': { product: 'utilities', status: 'processing' },
  'a product and a week': { product: 'results_checker', ...week },
  'a supplier and a product': { supplier: 'hubtel', product: 'utilities' },
  'a supplier and a network of long ago': { supplier: 'datamart', network: oldNetwork },
  'a supplier and a week': { supplier: 'datakazina', ...week },
  'a supplier and refunded': { supplier: 'datamart', status: 'refunded' },
  'a supplier and stuck': { supplier: 'datamart', isStuckOnly: true },
  'refunded and a week': { status: 'refunded', ...week },
}

const cases = [
  ...Object.entries(filters).map(([name, query]) => ({ name, query, most: rowsMaxOf[name] ?? rowsMax.filter })),
  ...Object.entries(pairs).map(([name, query]) => ({ name, query, most: rowsMaxOf[name] ?? rowsMax.pair })),
]

// The schedule holds only open orders, and is read completely where that is less work, as an empty partition of a table is.
const readWhole = (scans: readonly ScanOfPlan[]) =>
  scans.filter(({ type, table, rows }) => type === 'Seq Scan' && rows > 0 && table !== 'open_orders')
const rowsOf = (scans: readonly ScanOfPlan[]) => scans.reduce((sum, { rows }) => sum + rows, 0)

describe('of 1,000,000 orders, a page of those', () => {
  it.each(cases)('of $name is read through indexes, and little else is read, by new plans and by kept ones', async (given) => {
    const read = (db: Db) => listOrders(db, products, { ...given.query, limit: 50 })
    for (const plans of [undefined, 'kept'] as const) {
      const scans = await explainStatements(database.applicationUrl, read, plans)
      expect(readWhole(scans)).toEqual([])
      expect(rowsOf(scans)).toBeLessThan(given.most)
    }
  })

  it.each<[string, Omit<OrderQuery, 'limit'>, RawBuilder<boolean>]>([
    ['a small account', { accountId: smallAccountId }, sql`account_id = ${smallAccountId}`],
    ['a network of long ago', { network: oldNetwork }, sql`details ->> 'network' = ${oldNetwork}`],
  ])('of %s come page after page, newest first, none twice and none missing', async (_name, query, condition) => {
    const listed: string[] = []
    let after: string | undefined
    do {
      const page = await listOrders(database.db, products, { ...query, ...(after !== undefined && { after }), limit: 97 })
      listed.push(...page.orders.map(({ id }) => id))
      after = page.next ?? undefined
    } while (after !== undefined)
    const { rows } = await sql<{ id: string }>`select id from orders where ${condition} order by id desc`.execute(database.db)
    expect(listed.length).toBeGreaterThan(400)
    expect(listed).toEqual(rows.map(({ id }) => id))
  })

  it('those that bought the same for 100 numbers within the hour are read through one index, and few others', async () => {
    const goods = Array.from({ length: 100 }, (_, n) => ({
      recipient: `024${String((n * 7919) % 200_000).padStart(7, '0')}`,
      network: 'MTN',
      variety: '450',
    }))
    const known = { accountId: largeAccountId, kind: 'data', now: new Date() }
    const scans = await explainStatements(database.applicationUrl, (db) => findSameOrders(db, known, goods))
    expect(readWhole(scans)).toEqual([])
    expect(rowsOf(scans)).toBeLessThan(1_000)
  })
})
