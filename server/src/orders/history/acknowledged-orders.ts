import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import type { Epoch } from '../../platform/database/epoch.ts'
import { rowsOf } from '../../platform/database/rows-of.ts'
import type { Gap } from '../../platform/history/gaps.ts'
import type { FindLoss, HistoryWatch } from '../../platform/history/history-watch.ts'
import { amongIds } from '../../platform/partitions/partitions.ts'
import type { Order } from '../order.ts'
import { createRecentMemory } from './recent-memory.ts'

const recordedPerStatementMax = 1_000

/** While orders are missing, they are read again, at most this often, because people may have decided about them. */
const readAgainMilliseconds = 1_000

type Acknowledged = { readonly order: Order; readonly repeatKey: string | null }

/** A lost order that is to be placed again as it was. */
export type LostOrder = {
  readonly orderId: string
  readonly accountId: string
  readonly kind: string
  readonly price: number
}

/** The history watch, with the orders that this process has acknowledged lately, and the missing references. */
export type AcknowledgedOrders = Pick<HistoryWatch, 'isSalesStopped' | 'compareConnection' | 'stopSales'> & {
  /** Remembers an order whose caller is about to be told that it was placed. */
  add(order: Order, repeatKey: string | undefined): void
  /**
   * True when the database has lost an order that was answered with 200 under this key, and people have not yet decided about
   * it (`makola history release` or `makola history place`).
   */
  isMissing(repeatKey: string): boolean
  /** The order that its account's next request with this key places again, as people have decided. */
  findToPlaceAgain(repeatKey: string): LostOrder | undefined
}

/** Those of the orders that the database has. Mostly none is asked about, and no partition of `orders` is planned for. */
async function findPlaced(db: Db, orderIds: readonly string[]): Promise<ReadonlySet<string>> {
  if (orderIds.length === 0) return new Set()
  const { rows } = await sql<{ id: string }>`select id from orders where ${amongIds('id', orderIds)}`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** Remembers the acknowledged orders of this process, and records those that the database has lost. */
export async function rememberAcknowledged(
  history: HistoryWatch,
  { db, epoch }: { readonly db: Db; readonly epoch: Pick<Epoch, 'onRead'> },
): Promise<AcknowledgedOrders> {
  const remembered = createRecentMemory<Acknowledged>()
  let missing: ReadonlySet<string> = new Set()
  let toPlaceAgain = new Map<string, LostOrder>()
  let readAt = 0

  const findLoss: FindLoss = async (connection) => {
    const ids = remembered.newest().map(({ order }) => order.id)
    if (ids.length === 0) return undefined
    const lost = await connection.query(
      'select from unnest($1::uuid[]) as told (id) where not exists (select from orders where orders.id = told.id) limit 1',
      [ids],
    )
    return lost.rows.length === 0 ? undefined : 'an order that was acknowledged is missing'
  }

  async function readMissing(): Promise<void> {
    readAt = performance.now()
    const { rows } = await sql<LostOrder & { key: string; isReleased: boolean }>`
      select repeat_key as key, order_id as "orderId", account_id as "accountId", kind, price, released_at is not null as "isReleased" from missing_orders
      where repeat_key is not null and (released_at is null or is_placed_again)`.execute(db)
    const { true: again = [], false: waiting = [] } = Object.groupBy(
      rows,
      ({ isReleased }) => String(isReleased) as 'true' | 'false',
    )
    const placed = await findPlaced(
      db,
      again.map(({ orderId }) => orderId),
    )
    missing = new Set(waiting.map(({ key }) => key))
    toPlaceAgain = new Map(again.flatMap((row) => (placed.has(row.orderId) ? [] : [[row.key, row] as const])))
  }

  history.onNewServer(findLoss)
  history.onGap((gap) => recordMissingOrders(db, gap, remembered.all()))
  history.onAccepted(readMissing)
  await readMissing()
  epoch.onRead(() => {
    if (missing.size + toPlaceAgain.size > 0 && performance.now() - readAt >= readAgainMilliseconds)
      void readMissing().catch(() => undefined)
  })
  return {
    ...history,
    add(order, repeatKey) {
      remembered.add(order.id, { order, repeatKey: repeatKey ?? null })
      if (repeatKey !== undefined) toPlaceAgain.delete(repeatKey)
    },
    findToPlaceAgain: (repeatKey) => toPlaceAgain.get(repeatKey),
    isMissing: (repeatKey) => missing.has(repeatKey),
  }
}

/** Writes down which of the acknowledged orders the database does not know. */
async function recordMissingOrders(
  db: Db,
  gap: Gap,
  acknowledged: readonly { readonly value: Acknowledged; readonly at: Date }[],
): Promise<void> {
  for (let from = 0; from < acknowledged.length; from += recordedPerStatementMax) {
    await sql`
      insert into missing_orders (order_id, gap_id, account_id, price, acknowledged_at, kind, reference, repeat_key)
      select told.order_id, ${gap.id}, told.account_id, told.price, told.acknowledged_at, told.kind, told.reference, told.repeat_key
      from ${rowsOf(acknowledged.slice(from, from + recordedPerStatementMax), {
        order_id: ['uuid', ({ value: { order } }) => order.id],
        account_id: ['uuid', ({ value: { order } }) => order.accountId],
        price: ['bigint', ({ value: { order } }) => order.price],
        acknowledged_at: ['timestamptz', ({ at }) => at],
        kind: ['text', ({ value: { order } }) => order.kind],
        reference: ['text', ({ value: { order } }) => order.reference],
        repeat_key: ['text', ({ value: { repeatKey } }) => repeatKey],
      }).as('told')}
      where not exists (select from orders where orders.id = told.order_id)
      on conflict do nothing`.execute(db)
  }
}
