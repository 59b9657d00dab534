import { type RawBuilder, sql } from 'kysely'
import type { Amount } from '../../money/amount.ts'
import { type Pesewas, pesewas } from '../../money/pesewas.ts'
import type { Db } from '../../platform/database/database.ts'
import { amongIds, betweenIds } from '../../platform/partitions/partitions.ts'
import { amountOf, type SoldBy } from '../order.ts'
import type { OrderStatus } from '../order-life-cycle.ts'
import { isStuck } from '../schedule/stuck-condition.ts'
import { type FirstOnes, listMarkets, type OrderFilter, type OrderQuery, readOrderFilters } from './order-filters.ts'
import { allOf, cutByQuarter, cutIdBounds, type IdBounds, idBoundsOf, isOldestFirst } from './order-id-bounds.ts'

export type ListedOrder = {
  readonly id: string
  readonly reference: string
  readonly accountId: string
  readonly account: string | null
  readonly accountName: string | null
  readonly kind: string
  /** The network, or the biller of a bill. Null when the order has neither. */
  readonly network: string | null
  /** The variety of the product: the size of a bundle, the type of a voucher. */
  readonly variety: string | null
  readonly status: OrderStatus
  readonly price: Amount
  readonly recipient: string
  readonly createdAt: Date
  /** The supplier that got the order last. Null when no supplier has got it, or when the product has no supplier per order. */
  readonly supplier: string | null
  /** The supplier's price for it. Null when the order was not sent, has ended without a delivery, or the price is not known. */
  readonly costPesewas: Pesewas | null
  /** True: the cost comes from our price list at the time of sending. False: the supplier reported it, or it is null. */
  readonly isCostEstimated: boolean
  readonly route: string | null
  /** The time of the worker's next step. Null: the order has ended, waits for a person, or goes to its product's own loop. */
  readonly nextStepAt: Date | null
  readonly holdReason: string | null
  /** True when a person must act. */
  readonly isStuck: boolean
  /** The time of the last send to a supplier. */
  readonly sentAt: Date | null
  /** The reason why the order's route is paused. Null: the route is open, or the order has ended. */
  readonly pausedReason: string | null
  /** The last answer of the order's supplier, while the order waits. */
  readonly lastAnswer: string | null
  /** True when a supplier contradicted the order's end afterwards. */
  readonly isContradicted: boolean
}

export type OrderPage = {
  readonly orders: readonly ListedOrder[]
  /** The cursor of the next page. Null: this page is the last one. */
  readonly next: string | null
}

type Row = {
  id: string
  reference: string
  account_id: string
  email: string | null
  kind: string
  network: string | null
  variety: string | null
  status: OrderStatus
  price: number
  recipient: string
  created_at: Date
  supplier: string | null
  expected_cost: number | null
  reported_cost: number | null
  route: string | null
  next_step_at: Date | null
  hold_reason: string | null
  is_stuck: boolean
  sent_at: Date | null
  paused_reason: string | null
  last_answer: string | null
  is_contradicted: boolean
  account_name: string | null
}

const directionOf = (query: OrderQuery) => (isOldestFirst(query) ? sql`asc` : sql`desc`)

/**
 * Sorts the orders of a filter, and takes at least the first `count`. The limit is in the text of the statement and is no
 * parameter (except for an uneven filter), because only then does PostgreSQL keep the plan, and planning for many partitions
 * takes longer than reading them. The limit is rounded up to a power of two, so that there are few different texts.
 */
function firstOnes(query: OrderQuery, count: number, filter?: OrderFilter): FirstOnes {
  const rounded = 2 ** Math.ceil(Math.log2(count))
  const direction = directionOf(query)
  const limit = sql`limit ${filter?.isUneven ? rounded : sql.lit(rounded)}`
  return (column) =>
    sql`order by ${column === undefined ? sql`` : sql`${sql.ref(column)} ${direction}, `}id ${direction} ${limit}`
}

/** The state of a search, which reads orders round by round. */
type Round = {
  /** The last order that was read. */
  readonly after: string | undefined
  /** At most this many orders of a filter are counted, because the exact number of a wide filter makes no difference. */
  readonly wideCount: number
  /** Number of orders of the leading filter to read. */
  readonly candidateCount: number
}

/**
 * Chooses the filter that fits the fewest orders. Its index is read, and the other filters are checked on the orders
 * found there.
 */
async function findNarrowest(
  db: Db,
  query: OrderQuery,
  filters: readonly OrderFilter[],
  { after, wideCount }: Round,
): Promise<OrderFilter | undefined> {
  if (filters.length < 2) return filters[0]
  const within = idBoundsOf(query, after)
  const counts = filters.map(
    (filter) => sql`(select count(*) from (${filter.lead(within, firstOnes(query, wideCount, filter))}) as fitting)`,
  )
  const { rows } = await sql<{ counts: number[] }>`select array[${sql.join(counts)}] as counts`.execute(db)
  const counted = rows[0]?.counts.map(Number) ?? []
  return filters[counted.indexOf(Math.min(...counted))]
}

/** The next ids of orders that fit the leading filter. */
async function readCandidates(
  db: Db,
  query: OrderQuery,
  leading: OrderFilter | undefined,
  { after, candidateCount }: Round,
): Promise<string[]> {
  const some = firstOnes(query, candidateCount, leading)
  const ids: string[] = []
  for (const within of cutIdBounds(query, after)) {
    const { rows } = await (leading
      ? sql<{ id: string }>`${leading.lead(within, some)}`
      : sql<{ id: string }>`select id from orders where ${within('id')} ${some()}`
    ).execute(db)
    ids.push(...rows.map(({ id }) => id))
    if (ids.length >= candidateCount) break
  }
  return ids.slice(0, candidateCount)
}

async function readThose(
  db: Db,
  query: OrderQuery,
  those: { ids: readonly string[]; within: IdBounds; conditions: readonly RawBuilder<boolean>[]; count: number },
): Promise<Row[]> {
  const direction = directionOf(query)
  const ofPage = allOf([betweenIds('order_id', those.ids), those.within('order_id')])
  const { rows } = await sql<Row>`
    with page as materialized (
      select orders.*, open_orders.route, open_orders.hold_reason, nullif(open_orders.next_step_at, 'infinity') as next_step_at,
        coalesce(${isStuck}, false) as is_stuck
      from orders left join open_orders on open_orders.order_id = orders.id
      where ${amongIds('orders.id', those.ids)} and ${allOf([those.within('orders.id'), ...those.conditions])}
      order by orders.id ${direction}
      limit ${those.count}
    )
    select page.id, page.reference, page.account_id, account.email, account.name as account_name, page.kind, page.status, page.price, page.recipient, page.created_at,
      coalesce(page.details ->> 'network', page.details ->> 'biller') as network,
      coalesce(page.details ->> 'size', page.details ->> 'typeName') as variety,
      page.route, page.hold_reason, page.next_step_at, page.is_stuck, attempt.supplier, attempt.created_at as sent_at,
      attempt.expected_cost, said.reported_cost, paused.paused_reason, spoken.answer as last_answer,
      (select true from contradictions where contradictions.order_id = page.id limit 1) is not null as is_contradicted
    from page
    left join lateral (select email, name from accounts where accounts.id = page.account_id limit 1) as account on true
    left join lateral (
      select attempt_no, supplier, expected_cost, created_at from attempts
      where attempts.order_id = page.id and ${ofPage} order by attempt_no desc limit 1
    ) as attempt on true
    left join lateral (
      select reported_cost from attempt_answers
      where order_id = page.id and ${ofPage} and attempt_no = attempt.attempt_no
        and reported_cost is not null order by answer_no desc limit 1
    ) as said on true
    left join lateral (
      select paused_reason from routes
      where state = 'paused' and supplier = split_part(page.route, '/', 1) and product = split_part(page.route, '/', 2)
        and network = split_part(page.route, '/', 3)
      limit 1
    ) as paused on true
    left join lateral (
      select answer from attempt_answers
      where order_id = page.id and ${ofPage} and attempt_no = attempt.attempt_no
        and page.hold_reason is not null order by answer_no desc limit 1
    ) as spoken on true
    order by page.id ${direction}`.execute(db)
  return rows
}

/** The cost of an order. Null for an order that has ended without a delivery, whatever was expected. */
function costOf(row: Row): Pick<ListedOrder, 'costPesewas' | 'isCostEstimated'> {
  const cost = row.status === 'completed' || row.status === 'processing' ? (row.reported_cost ?? row.expected_cost) : null
  return { costPesewas: cost === null ? null : pesewas(cost), isCostEstimated: cost !== null && row.reported_cost === null }
}

function listedOf(products: readonly SoldBy[], row: Row): ListedOrder {
  return {
    id: row.id,
    reference: row.reference,
    accountId: row.account_id,
    account: row.email,
    accountName: row.account_name,
    kind: row.kind,
    network: row.network,
    variety: row.variety,
    status: row.status,
    price: amountOf(products, row),
    recipient: row.recipient,
    createdAt: row.created_at,
    supplier: row.supplier,
    ...costOf(row),
    route: row.route,
    nextStepAt: row.next_step_at,
    holdReason: row.hold_reason,
    isStuck: row.is_stuck,
    sentAt: row.sent_at,
    pausedReason: row.paused_reason,
    lastAnswer: row.last_answer,
    isContradicted: row.is_contradicted,
  }
}

/**
 * Each round reads this many times as many orders as the round before, up to a limit. A search with few results then takes
 * few rounds, and a search with many results reads few orders that it does not show.
 */
const growth = 4
const firstWideCount = 1_000
const wideCountMax = 64_000
const candidatesMax = 5_000

/**
 * Lists the orders that fit a query: newest first, or oldest first with `isStuckOnly`. However many orders exist, it reads
 * little more than the orders that fit the narrowest filter; when most of these fit the other filters too, little more than
 * the page.
 */
export async function listOrders(db: Db, products: readonly SoldBy[], query: OrderQuery): Promise<OrderPage> {
  const isOfMarkets = query.product !== undefined || query.network !== undefined
  const { filters, conditions } = readOrderFilters(query, isOfMarkets ? (await listMarkets.execute(db)).rows : [])
  // One more than a page, to learn whether there is a next page.
  const wanted = query.limit + 1
  const rows: Row[] = []
  const isAllWanted = conditions.length === 0 && filters.length < 2 && filters[0]?.findsOthers !== true
  let round: Round = { after: query.after, wideCount: firstWideCount, candidateCount: isAllWanted ? wanted : wanted * growth }
  for (;;) {
    const leading = await findNarrowest(db, query, filters, round)
    const others = filters.filter((filter) => filter !== leading || filter.findsOthers).map(({ condition }) => condition)
    const ids = await readCandidates(db, query, leading, round)
    if (ids.length === 0) break
    for (const cut of cutByQuarter(ids)) {
      rows.push(...(await readThose(db, query, { ...cut, conditions: [...conditions, ...others], count: wanted - rows.length })))
      if (rows.length === wanted) break
    }
    if (rows.length === wanted || ids.length < round.candidateCount) break
    round = {
      after: ids.at(-1),
      wideCount: Math.min(round.wideCount * growth, wideCountMax),
      candidateCount: Math.max(wanted, Math.min(round.candidateCount * growth, candidatesMax)),
    }
  }
  const shown = rows.slice(0, query.limit)
  return {
    orders: shown.map((row) => listedOf(products, row)),
    next: rows.length > query.limit ? (shown.at(-1)?.id ?? null) : null,
  }
}
