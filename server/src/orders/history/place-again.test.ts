import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeAccount } from '../../../test/make-account.ts'
import { mustPassAudit } from '../../../test/must-pass-audit.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts'
import { pesewas } from '../../money/pesewas.ts'
import { newId } from '../../platform/database/new-id.ts'
import { beginGap } from '../../platform/history/gaps.ts'
import type { HistoryWatch } from '../../platform/history/history-watch.ts'
import { refusals } from '../../platform/http/refusals.ts'
import { closeIntake, openIntake } from '../intake/open-intake.ts'
import { type Intake, placeOrders } from '../intake/place-orders.ts'
import type { OrderItem, OrderKind } from '../order-kind.ts'
import { rememberAcknowledged } from './acknowledged-orders.ts'

const bundles: OrderKind<undefined, undefined> = {
  name: 'data',
  unit: 'pesewas',
  insufficientFunds: refusals.insufficientFunds,
  fromMemory: { suffices: () => true, read: () => undefined },
  read: () => Promise.resolve(undefined),
  decide: () => ({ status: 'pending', price: pesewas(450), recipient: '0240000000', route: 'nobody/data/MTN', details: {} }),
  fork: (read) => read,
  take: () => undefined,
  write: () => Promise.resolve(),
}

/** Watches nothing: only what people have decided about missing orders counts here. */
const watch: HistoryWatch = {
  isSalesStopped: () => false,
  begin: () => Promise.resolve(),
  compareConnection: () => Promise.resolve(),
  stopSales: () => undefined,
  onNewServer: () => undefined,
  onGap: () => undefined,
  onAccepted: () => undefined,
  checkNow: () => Promise.resolve(),
  stop: () => undefined,
}

let database: TestDatabase
let intake: Intake

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(async () => {
  await mustPassAudit(database.db)
  await closeIntake(intake)
  await database.drop()
})

it('a lost order is placed again for its own account and product only; for any other its reference is taken', async () => {
  const { db } = database
  const owner = await makeAccount(db, { balancePesewas: 1_000 })
  const other = await makeAccount(db, { balancePesewas: 1_000 })
  const gap = await beginGap(db, { noticedBy: 'test', reason: 'test' })
  const lost = { order_id: newId(), gap_id: gap.id, account_id: owner.accountId, price: 450, kind: 'data', reference: 'order-1' }
  await db
    .insertInto('missing_orders')
    .values({
      ...lost,
      acknowledged_at: new Date(),
      repeat_key: 'shared:order-1',
      released_at: new Date(),
      released_by: 'test',
      is_placed_again: true,
    })
    .execute()
  const history = await rememberAcknowledged(watch, { db, epoch: { onRead: () => () => undefined } })
  const log = pino({ level: 'silent' })
  intake = openIntake({
    database: { url: database.applicationUrl },
    kinds: [bundles, { ...bundles, name: 'airtime' }],
    log,
    history,
  })
  const ask = (accountId: string, kind = 'data') => {
    const item: OrderItem = { orderId: newId(), accountId, kind, reference: 'order-1', fingerprint: '00', request: undefined }
    return placeOrders(intake, accountId, [item])
  }
  expect(await ask(other.accountId)).toMatchObject({ refusal: { reason: 'reference_taken' } })
  expect(await ask(owner.accountId, 'airtime')).toMatchObject({ refusal: { reason: 'reference_taken' } })
  expect(await ask(owner.accountId)).toMatchObject({
    placements: [{ isReplay: false, order: { id: lost.order_id, accountId: owner.accountId } }],
  })
  expect(await ask(other.accountId)).toMatchObject({ refusal: { reason: 'reference_taken' } })
})
