import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts'
import { newId } from '../../platform/database/new-id.ts'
import { beginGap, type Gap } from '../../platform/history/gaps.ts'
import type { FindLoss, HistoryWatch } from '../../platform/history/history-watch.ts'
import { connectionOf } from '../../platform/history/mark.ts'
import type { Supplier } from '../../suppliers/ports.ts'
import type { Route } from '../../suppliers/route-ports.ts'
import { outgoingReference } from '../outgoing-reference.ts'
import { askAboutMissing, missingTimer } from './ask-about-missing.ts'
import { rememberSends } from './remember-sends.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const sendOf = (orderId: string) => ({
  orderId,
  attemptNo: 1,
  supplier: 'known',
  outgoingReference: outgoingReference(orderId, 'known', 1),
})

test('a send of which no row is left is a proof, is written down, and is asked about until its end is known', async () => {
  const { db } = database
  let findLoss: FindLoss | undefined
  let report: ((gap: Gap) => Promise<void>) | undefined
  const history: Partial<HistoryWatch> = {
    onNewServer: (given) => (findLoss = given),
    onGap: (given) => (report = given),
  }
  const sent = rememberSends(history as HistoryWatch, db)
  const [kept, lost] = [sendOf(newId()), sendOf(newId())]
  const { orderId: order_id, attemptNo: attempt_no, supplier, outgoingReference: outgoing_reference } = kept
  const times = { send_before: new Date(), outcome: null, supplier_reference: null, answered_at: null }
  await database.ownerDb
    .insertInto('attempts')
    .values({ order_id, attempt_no, supplier, outgoing_reference, ...times })
    .execute()
  sent.add(kept)
  expect(await findLoss?.(connectionOf(db))).toBeUndefined()
  sent.add(lost)
  expect(await findLoss?.(connectionOf(db))).toContain('is missing')
  const gap = await beginGap(db, { noticedBy: 'test', reason: 'test' })
  await report?.(gap)

  // No process remembers where the lost data order was sent, so every supplier of data is asked about it. The 30 lost SMS orders
  // have no supplier, and must not take its place.
  const withoutSupplier = Array.from({ length: 30 }, () => newId())
  const missing = newId()
  const facts = { gap_id: gap.id, account_id: newId(), reference: 'lost', price: 450, acknowledged_at: new Date() }
  await db
    .insertInto('missing_orders')
    .values(withoutSupplier.map((orderId) => ({ order_id: orderId, kind: 'sms', ...facts })))
    .execute()
  await db
    .insertInto('missing_orders')
    .values({ order_id: missing, kind: 'data', ...facts })
    .execute()
  const asked: string[] = []
  const known: Partial<Supplier> = {
    askStatus: async ({ outgoingReference: reference }) => {
      asked.push(reference)
      return { meaning: 'delivered', evidence: '' }
    },
  }
  const suppliers: Record<string, Partial<Supplier>> = { known, mute: { ...known, statusNeedsSupplierReference: true } }
  const deps = {
    db,
    log: pino({ level: 'silent' }),
    registry: { find: (name: string) => suppliers[name] as Supplier },
    routes: { list: () => ['known', 'mute'].map((name) => ({ supplier: name, product: 'data' }) as Route) },
  }
  const { isDue = sql`null` } = missingTimer(deps)
  const readIsDue = async () => (await sql<{ is_due: boolean }>`select ${isDue} as is_due`.execute(db)).rows[0]?.is_due
  await db.insertInto('suppliers').values({ name: 'known', adapter: 'datamart', settings: '{}' }).execute()
  await db.insertInto('routes').values({ supplier: 'known', product: 'data', network: 'MTN', priority: 1 }).execute()
  expect(await readIsDue()).toBe(true)
  await askAboutMissing(deps)
  await askAboutMissing(deps)
  // Those without a supplier wait for people, and nothing is due for them.
  expect(await readIsDue()).toBe(false)
  const rows = await db.selectFrom('missing_sends').select(['order_id', 'supplier', 'answer']).execute()
  expect(rows.toSorted((a, b) => `${a.order_id}${a.supplier}`.localeCompare(`${b.order_id}${b.supplier}`))).toEqual([
    { order_id: lost.orderId, supplier: 'known', answer: 'delivered' },
    { order_id: missing, supplier: 'known', answer: 'delivered' },
    { order_id: missing, supplier: 'mute', answer: 'cannot_ask' },
  ])
  expect(asked.toSorted()).toEqual([lost.outgoingReference, outgoingReference(missing, 'known', 1)].toSorted())
})
