import { type RawBuilder, sql } from 'kysely'
import { pesewas } from '../../money/pesewas.ts'
import type { Db } from '../../platform/database/database.ts'
import { rowsOf } from '../../platform/database/rows-of.ts'
import { amongIds, betweenIds } from '../../platform/partitions/partitions.ts'
import type { Attempt, AttemptOutcome, CallbackAnswer } from '../attempt.ts'
import { type Order, type OrderRow, orderOf } from '../order.ts'
import { readEvidenceHex } from '../packed-evidence.ts'
import { giveBackLeases } from './leases.ts'

/** The length of a lease, by the database's clock: longer than the time to the send deadline plus the time of the call. */
export const leaseSeconds = 60

export type ClaimedOrder = {
  readonly order: Order
  readonly route: string
  /** The number of this lease. An answer is committed only while the row still has this number. */
  readonly leaseNo: number
  readonly holdReason: string | null
  /** The attempt to ask about; null when the next step is to send. */
  readonly attempt: Attempt | null
  readonly attemptCount: number
  /** The suppliers that were tried for this order, with the number of attempts at each. */
  readonly triedSuppliers: ReadonlyMap<string, number>
  /** Set when history went back: the suppliers that were asked about this order. All others are asked before it is sent. */
  readonly onlyAskedSuppliers?: readonly string[]
  /** The database's clock at the claim. */
  readonly claimedAt: Date
}

type LeasedRow = {
  order_id: string
  route: string
  lease_no: number
  attempt_no: number | null
  hold_reason: string | null
  claimed_at: Date
}

/** Orders with this hold reason are claimed by `claimQueuedOrders`. */
const waitsForNumber = 'not_registered'

/**
 * The routes that have an order due now. The statement walks the index from route to route, so that a long queue does not make
 * it slower.
 */
const dueRoutes = sql<{ route: string }>`
  with recursive present as (
    (select route from open_orders order by route limit 1)
    union all
    select (select route from open_orders where route > present.route order by route limit 1)
    from present where present.route is not null
  )
  select route from present
  where exists (
    select from open_orders
    where open_orders.route = present.route and is_question = any('{true,false}') and next_step_at <= now() and lease_until <= now()
      and hold_reason is distinct from ${waitsForNumber})`

export const isOrderDue = sql<boolean>`exists (${dueRoutes})`

export async function listDueRoutes(db: Db): Promise<string[]> {
  const { rows } = await dueRoutes.execute(db)
  return rows.map((row) => row.route)
}

/**
 * `all`: all due orders of a route. `unsent`: only those that have no open attempt. `questions`: only those whose next step is
 * a question. `seen`: only those with an attempt or a hold reason, so no new orders.
 */
export type ClaimFilter = 'all' | 'unsent' | 'questions' | 'seen'

/**
 * When more orders are due than a claim takes, this share of the claim goes to questions and the rest to sends. So sent
 * orders do not wait behind a long queue, and a supplier that never gives a final answer does not stop sales.
 */
const questionShare = 0.75

/**
 * Calculates how many of the claimed orders may be questions. The number is rounded up or down at random, so that a claim of a
 * single order is sometimes a question and sometimes a send.
 */
function questionsOf(limit: number): number {
  return Math.floor(limit * questionShare + Math.random())
}

/** For each kind of claim, the condition on an order whose next step is not a question. */
const amongUnsent: Readonly<Record<ClaimFilter, RawBuilder<boolean>>> = {
  all: sql`true`,
  unsent: sql`attempt_no is null`,
  questions: sql`false`,
  seen: sql`(attempt_no is not null or hold_reason is not null)`,
}

/**
 * Takes the leases on due orders, oldest step first. The last part of the statement finds the rows by their ids and not by a
 * join: the planner cannot know how few a claim takes, and would read the whole schedule for a join.
 */
async function takeLeases(db: Db, route: string, limit: number, which: ClaimFilter): Promise<LeasedRow[]> {
  // `now()` does not change while the statement runs, so the index ends the search at the first order that is not due.
  const isDue = sql`
    route = ${route} and next_step_at <= now() and lease_until <= now()
    and hold_reason is distinct from ${waitsForNumber}`
  const { rows } = await sql<LeasedRow>`
    with clock as materialized (
      select clock_timestamp() as claimed_at
    ), asked as materialized (
      select order_id from open_orders
      where ${isDue} and is_question and ${which !== 'unsent'}::boolean
      order by next_step_at
      limit ${limit}
      for update skip locked
    ), unsent as materialized (
      select order_id from open_orders
      where ${isDue} and not is_question and ${amongUnsent[which]}
      order by next_step_at
      limit ${limit}::bigint - least((select count(*) from asked), ${questionsOf(limit)}::bigint)
      for update skip locked
    ), due as (
      select * from unsent
      union all
      (select * from asked limit ${limit}::bigint - (select count(*) from unsent))
    )
    update open_orders
    set lease_until = claimed_at + make_interval(secs => ${leaseSeconds}), lease_no = lease_no + 1
    from clock
    where order_id = any(array(select order_id from due))
    returning order_id, route, lease_no, attempt_no, hold_reason, claimed_at`.execute(db)
  return rows
}

type AttemptRow = {
  order_id: string
  attempt_no: number
  supplier: string
  outgoing_reference: string
  expected_cost: number | null
  supplier_reference: string | null
  send_before: Date
  created_at: Date
  outcome: AttemptOutcome | null
  asks: number
  proven_absences: number
  unfulfilled_since: Date | null
  callback_answers: (Omit<CallbackAnswer, 'evidence'> & { readonly evidenceHex: string })[] | null
  is_only_asked: boolean
}

/**
 * Reads one attempt of each order, by order id, with facts from its answers: the number of look-ups that found nothing, the
 * moment since which look-ups report it as unfulfilled, and the final answers of callbacks.
 */
async function readAttempts(
  db: Db,
  wanted: readonly { readonly orderId: string; readonly attemptNo: number }[],
): Promise<Map<string, Attempt>> {
  if (wanted.length === 0) return new Map()
  const ids = wanted.map(({ orderId }) => orderId)
  const answersTo = sql`
    attempt_answers where order_id = attempts.order_id and ${betweenIds('order_id', ids)} and attempt_no = attempts.attempt_no`
  const { rows } = await sql<AttemptRow>`
    select attempts.*, (
      select count(*)::integer from ${answersTo} and source = 'status' and answer = 'never_received') as proven_absences, (
      select min(said.created_at) from (select * from ${answersTo}) as said
      where said.source = 'status' and said.answer = 'unfulfilled'
        and not exists (select from ${answersTo} and answer_no > said.answer_no
          and source in ('status', 'callback') and answer in ('accepted', 'delivered'))) as unfulfilled_since, (
      select json_agg(json_build_object('meaning', answer, 'evidenceHex', encode(evidence, 'hex'), 'supplierReference', supplier_reference)
        order by answer_no)
      from ${answersTo} and source = 'callback' and answer in ('delivered', 'failed')) as callback_answers,
      exists (select from ${answersTo} and source = 'person' and answer = 'unknown') as is_only_asked
    from attempts
    join ${rowsOf(wanted, {
      order_id: ['uuid', ({ orderId }) => orderId],
      attempt_no: ['integer', ({ attemptNo }) => attemptNo],
    }).as('wanted')} using (order_id, attempt_no)
    where ${amongIds('attempts.order_id', ids)}`.execute(db)
  return new Map(
    rows.map((row) => [
      row.order_id,
      {
        orderId: row.order_id,
        attemptNo: row.attempt_no,
        supplier: row.supplier,
        outgoingReference: row.outgoing_reference,
        expectedCostPesewas: row.expected_cost === null ? null : pesewas(row.expected_cost),
        supplierReference: row.supplier_reference,
        sendBeforeAt: row.send_before,
        createdAt: row.created_at,
        outcome: row.outcome,
        asks: row.asks,
        provenAbsences: row.proven_absences,
        unfulfilledSince: row.unfulfilled_since,
        callbackAnswers: (row.callback_answers ?? []).map(({ evidenceHex, ...answer }) => ({
          ...answer,
          evidence: readEvidenceHex(evidenceHex),
        })),
        ...(row.is_only_asked && { isOnlyAsked: true }),
      },
    ]),
  )
}

type OrderToClaim = OrderRow & {
  /** The tried suppliers, with the number of attempts at each and the number of the last one. Null: none. */
  tried: { supplier: string; count: number; lastNo: number; isOnlyAsked: boolean }[] | null
  /** True: the database had lost the order, and it was placed again. */
  was_lost: boolean
}

async function readOrders(db: Db, orderIds: readonly string[]): Promise<Map<string, OrderToClaim>> {
  if (orderIds.length === 0) return new Map()
  const { rows } = await sql<OrderToClaim>`
    select orders.*, (
      select json_agg(json_build_object('supplier', supplier, 'count', count, 'lastNo', last_no, 'isOnlyAsked', is_only_asked))
      from (
        select supplier, count(*) as count, max(attempt_no) as last_no, bool_or(exists (
          select from attempt_answers as answer where answer.order_id = attempts.order_id and ${betweenIds('answer.order_id', orderIds)}
            and answer.attempt_no = attempts.attempt_no and source = 'person' and answer.answer = 'unknown')) as is_only_asked
        from attempts where attempts.order_id = orders.id and ${betweenIds('attempts.order_id', orderIds)} group by supplier
      ) as by_supplier) as tried,
      exists (select from missing_orders where order_id = orders.id) as was_lost
    from orders where ${amongIds('id', orderIds)}`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

function claimedOrder(row: LeasedRow, order: OrderToClaim | undefined, attempt: Attempt | null | undefined): ClaimedOrder {
  // Without the attempt's row it is not known whether the order was sent. Going on would mean sending again on a guess.
  if (!order || attempt === undefined) throw new Error(`the open order ${row.order_id} has lost its order or its attempt`)
  const tried = order.tried ?? []
  const onlyAsked = tried.flatMap(({ supplier, isOnlyAsked }) => (isOnlyAsked ? [supplier] : []))
  return {
    order: orderOf(order),
    route: row.route,
    leaseNo: row.lease_no,
    holdReason: row.hold_reason,
    attempt,
    attemptCount: Math.max(0, ...tried.map(({ lastNo }) => lastNo)),
    triedSuppliers: new Map(tried.map(({ supplier, count }) => [supplier, count])),
    ...((order.was_lost || onlyAsked.length > 0) && { onlyAskedSuppliers: onlyAsked }),
    claimedAt: row.claimed_at,
  }
}

/** Finds an order that this process remembers, if its row in the schedule has not changed. */
export type FindCachedOrder = (row: { orderId: string; leaseNo: number; attemptNo: number | null }) => ClaimedOrder | undefined

/**
 * Claims due orders of a route, oldest step first: takes their leases, by the database's clock, and then reads each order
 * that `findCached` does not find. While a lease lasts no other worker moves its order. Orders that another worker is claiming at
 * this moment are skipped.
 */
export async function claimOpenOrders(
  db: Db,
  route: string,
  limit: number,
  { which = 'all', findCached = () => undefined }: { which?: ClaimFilter; findCached?: FindCachedOrder } = {},
): Promise<ClaimedOrder[]> {
  const leased = await takeLeases(db, route, limit, which)
  const cached = new Map<LeasedRow, ClaimedOrder>()
  for (const row of leased) {
    const { order_id: orderId, lease_no: leaseNo, attempt_no: attemptNo, hold_reason: holdReason, claimed_at: claimedAt } = row
    const known = findCached({ orderId, leaseNo, attemptNo })
    if (known) cached.set(row, { ...known, route: row.route, leaseNo, holdReason, claimedAt })
  }
  const others = leased.filter((row) => !cached.has(row))
  try {
    const orders = await readOrders(
      db,
      others.map((row) => row.order_id),
    )
    const attempts = await readAttempts(
      db,
      others.flatMap(({ order_id: orderId, attempt_no: attemptNo }) => (attemptNo === null ? [] : { orderId, attemptNo })),
    )
    return leased.map((row) => {
      const attempt = row.attempt_no === null ? null : attempts.get(row.order_id)
      return cached.get(row) ?? claimedOrder(row, orders.get(row.order_id), attempt)
    })
  } catch (error) {
    await giveBackLeases(
      db,
      leased.map((row) => ({ orderId: row.order_id, leaseNo: row.lease_no })),
    )
    throw error
  }
}
