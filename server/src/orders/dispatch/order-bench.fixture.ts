import { sql } from 'kysely'
import { type Logger, pino } from 'pino'
import { patienceSeconds, untilTrue } from '../../../test/patience.ts'
import { creditWallet } from '../../money/credit-wallet.ts'
import { faceValueExpectation } from '../../money/expected-cost.ts'
import { pesewas } from '../../money/pesewas.ts'
import { createWallets } from '../../money/wallets.ts'
import type { Db } from '../../platform/database/database.ts'
import { type Epoch, watchEpoch } from '../../platform/database/epoch.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { newId } from '../../platform/database/new-id.ts'
import { openSettings } from '../../platform/settings/settings.ts'
import { products } from '../../products/products.ts'
import { type DataSupplier, type Supplier, type SupplierRegistry, sellsData } from '../../suppliers/ports.ts'
import type { Routes } from '../../suppliers/route-ports.ts'
import { loadRoutes } from '../../suppliers/routes/load-routes.ts'
import type { Fulfilment } from '../fulfilment.ts'
import type { OrderStatus } from '../order-life-cycle.ts'
import { type OrderLoop, type OrderLoopDeps, runOrderLoop } from './run-order-loop.ts'

/** The smallest product: any supplier of data can fulfil it. */
export const stubFulfilment: Fulfilment = {
  product: 'data',
  send: (supplier, order, attempt, signal) => {
    if (!sellsData(supplier)) throw new Error(`${supplier.name} does not sell data`)
    return supplier.buyData({ network: 'MTN', volumeGb: 1, recipient: order.recipient, packageCode: '1' }, attempt, signal)
  },
  titleOf: () => 'MTN 1GB',
  costs: faceValueExpectation('data'),
  listCapableSuppliers: async (db, orders) => {
    const { rows } = await sql<{ name: string }>`select name from suppliers`.execute(db)
    const names = new Set(rows.map((row) => row.name))
    return new Map(orders.map((order) => [order.id, names]))
  },
}

export function registryOf(suppliers: readonly Supplier[]): SupplierRegistry {
  return {
    find: (name) => suppliers.find((supplier) => supplier.name === name),
    list: () => suppliers,
    refresh: async () => {},
    stop: async () => {},
  }
}

/** Writes suppliers and their routes for `data` on MTN; the first name has the highest priority. */
export async function addRoutes(db: Db, names: readonly string[]): Promise<void> {
  for (const [index, name] of names.entries()) {
    await sql`insert into suppliers (name, adapter) values (${name}, 'stub') on conflict do nothing`.execute(db)
    await sql`insert into routes (supplier, product, network, priority) values (${name}, 'data', 'MTN', ${index + 1})
      on conflict do nothing`.execute(db)
  }
  await sql`update cache_epoch set epoch = epoch + 1`.execute(db)
}

/** An account with its wallets, filled by a credit. */
export async function makeAccount(db: Db, balancePesewas = 1_000_000): Promise<string> {
  const accountId = newId()
  await inTransaction(db, async (tx) => {
    await tx
      .insertInto('accounts')
      .values({
        id: accountId,
        email: `${accountId}@makola.test`,
        name: 'Test',
        role: 'agent',
        role_expires_at: null,
        policy_accepted_at: null,
      })
      .execute()
    await createWallets(tx, accountId)
    const amount = pesewas(balancePesewas)
    // The limit is the amount itself, so that one person may credit it and the audit has nothing to report.
    await creditWallet(tx, { accountId, purse: 'main', amount, actor: 'test', onePersonLimit: amount })
  })
  return accountId
}

export type Bench = {
  readonly epoch: Epoch
  readonly routes: Routes
  readonly log: Logger
  readonly depsFor: (suppliers: readonly DataSupplier[]) => OrderLoopDeps
  readonly start: (suppliers: readonly DataSupplier[]) => OrderLoop
  close(): Promise<void>
}

/** Everything that an order loop needs, on a test's database. */
export async function openBench(db: Db, onPlatformRejected: OrderLoopDeps['onPlatformRejected'] = () => {}): Promise<Bench> {
  const log = pino({ level: 'fatal' })
  const epoch = await watchEpoch(db)
  const routes = await loadRoutes({ db, epoch, log })
  const settings = openSettings(db, epoch)
  const loops: OrderLoop[] = []
  const depsFor = (suppliers: readonly DataSupplier[]): OrderLoopDeps => ({
    db,
    log,
    settings,
    routes,
    registry: registryOf(suppliers),
    products,
    fulfilments: new Map([['data', stubFulfilment]]),
    onPlatformRejected,
  })
  return {
    epoch,
    routes,
    log,
    depsFor,
    start: (suppliers) => {
      const loop = runOrderLoop(depsFor(suppliers))
      loops.push(loop)
      return loop
    },
    close: async () => {
      await Promise.all(loops.map((loop) => loop.stop({ callSeconds: 0, commitSeconds: 5 })))
      routes.stop()
      epoch.stop()
    },
  }
}

export async function statusOf(db: Db, orderId: string): Promise<OrderStatus> {
  const row = await db.selectFrom('orders').select('status').where('id', '=', orderId).executeTakeFirstOrThrow()
  return row.status
}

/** Waits until the order has the status. @throws Error with its present status when that takes too long */
export async function untilStatus(db: Db, orderId: string, wanted: OrderStatus): Promise<void> {
  let status: OrderStatus | undefined
  const isThere = async () => (status = await statusOf(db, orderId)) === wanted
  await untilTrue(isThere, () => `the order is ${status}, not ${wanted}`)
}

export async function until(claim: () => boolean | Promise<boolean>): Promise<void> {
  await untilTrue(claim, () => `still not so after ${patienceSeconds} s: ${claim.toString()}`)
}

/** The order's moves as texts to compare: `pending>processing`. */
export async function movesOf(db: Db, orderId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('order_events')
    .select(['from_status', 'to_status'])
    .where('order_id', '=', orderId)
    .orderBy('event_no')
    .execute()
  return rows.map((row) => `${row.from_status}>${row.to_status}`)
}

export async function balanceOf(db: Db, accountId: string): Promise<number> {
  const row = await db
    .selectFrom('wallets')
    .select('balance')
    .where('account_id', '=', accountId)
    .where('purse', '=', 'main')
    .executeTakeFirstOrThrow()
  return row.balance
}
