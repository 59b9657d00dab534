import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import type { Epoch } from '../../platform/database/epoch.ts'
import { rowsOf } from '../../platform/database/rows-of.ts'
import type { Gap } from '../../platform/history/gaps.ts'
import type { FindLoss, HistoryWatch } from '../../platform/history/history-watch.ts'
import type { Order } from '../order.ts'

/** How long an acknowledged order is remembered, and how many of them. */
const rememberedMilliseconds = 600_000
const rememberedMax = 20_000

/**
 * On a new server the orders of this long before are looked for. The mark is moved once a second, so it proves the older ones;
 * the rest is for a mark that came late.
 */
const comparedMilliseconds = 5_000

const noteMax = 1_000

/** While references are missing, they are read again this often, because people release them. */
const readAgainMilliseconds = 1_000

type Acknowledged = { readonly order: Order; readonly repeatKey: string | null; readonly at: number }

/** The watch, with the orders that this process has acknowledged lately, and the references that are missing. */
export type AcknowledgedOrders = Pick<HistoryWatch, 'isHeld' | 'meet' | 'hold'> & {
  /** Remembers an order whose caller is about to be told that it was placed. */
  add(order: Order, repeatKey: string | undefined): void
  /**
   * True when the database has lost an order that was answered with 200 under this key, and nobody has run
   * `makola history release` for it.
   */
  isMissing(repeatKey: string): boolean
}

/** Remembers the acknowledged orders of this process, and writes down those that a gap has swallowed. */
export async function rememberAcknowledged(
  history: HistoryWatch,
  { db, epoch }: { readonly db: Db; readonly epoch: Pick<Epoch, 'onRead'> },
): Promise<AcknowledgedOrders> {
  const remembered = new Map<string, Acknowledged>()
  let missing: ReadonlySet<string> = new Set()
  let readAt = 0
  let lastAt = Number.NEGATIVE_INFINITY

  function forgetOld(): void {
    for (const [id, { at }] of remembered) {
      if (remembered.size <= rememberedMax && at >= performance.now() - rememberedMilliseconds) return
      remembered.delete(id)
    }
  }

  /** Looks for the newest acknowledged orders. While the database is away none is acknowledged, so these are the last before it. */
  const findLoss: FindLoss = async (connection) => {
    const ids = [...remembered].filter(([, { at }]) => at >= lastAt - comparedMilliseconds).map(([id]) => id)
    if (ids.length === 0) return undefined
    const lost = await connection.query(
      'select from unnest($1::uuid[]) as told (id) where not exists (select from orders where orders.id = told.id) limit 1',
      [ids],
    )
    return lost.rows.length === 0 ? undefined : 'an order that was acknowledged is missing'
  }

  async function readMissing(): Promise<void> {
    readAt = performance.now()
    const rows = await db.selectFrom('missing_orders').select('repeat_key').where('released_at', 'is', null).execute()
    missing = new Set(rows.flatMap(({ repeat_key: key }) => key ?? []))
  }

  history.onNewServer(findLoss)
  history.onGap((gap) => noteMissing(db, gap, [...remembered.values()]))
  history.onAccepted(readMissing)
  await readMissing()
  epoch.onRead(() => {
    if (missing.size > 0 && performance.now() - readAt >= readAgainMilliseconds) void readMissing().catch(() => undefined)
  })
  return {
    ...history,
    add(order, repeatKey) {
      lastAt = performance.now()
      remembered.set(order.id, { order, repeatKey: repeatKey ?? null, at: lastAt })
      forgetOld()
    },
    isMissing: (repeatKey) => missing.has(repeatKey),
  }
}

/** Writes down which of the acknowledged orders the database does not know. */
async function noteMissing(db: Db, gap: Gap, acknowledged: readonly Acknowledged[]): Promise<void> {
  const now = performance.now()
  for (let from = 0; from < acknowledged.length; from += noteMax) {
    await sql`
      insert into missing_orders (order_id, gap_id, account_id, price, acknowledged_at, kind, reference, repeat_key)
      select told.order_id, ${gap.id}, told.account_id, told.price, told.acknowledged_at, told.kind, told.reference, told.repeat_key
      from ${rowsOf(acknowledged.slice(from, from + noteMax), {
        order_id: ['uuid', ({ order }) => order.id],
        account_id: ['uuid', ({ order }) => order.accountId],
        price: ['bigint', ({ order }) => order.price],
        acknowledged_at: ['timestamptz', ({ at }) => new Date(Date.now() - (now - at))],
        kind: ['text', ({ order }) => order.kind],
        reference: ['text', ({ order }) => order.reference],
        repeat_key: ['text', ({ repeatKey }) => repeatKey],
      }).as('told')}
      where not exists (select from orders where orders.id = told.order_id)
      on conflict do nothing`.execute(db)
  }
}
