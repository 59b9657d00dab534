import { sql } from 'kysely'
import { pesewas } from '../../money/pesewas.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import type { Attempt, AttemptOutcome, CallbackVerdict } from '../attempt.ts'
import { listOrdersById, type Order } from '../order.ts'

/** How long a claimed order belongs to its worker, by the database's clock. Longer than a send's window and its call. */
export const leaseSeconds = 60

/** An order that this worker is claiming, with all that is known of it. */
export type ClaimedOrder = {
  readonly order: Order
  readonly route: string
  /** The number of this lease. An answer is committed only while the row still has this number. */
  readonly leaseNo: number
  readonly holdReason: string | null
  /** The attempt to ask about; null when the next step is to send. */
  readonly attempt: Attempt | null
  /** Attempts made so far. */
  readonly attemptCount: number
  /** The suppliers that were tried for this order, with the number of attempts at each. */
  readonly triedSuppliers: ReadonlyMap<string, number>
  /** The database's clock at the claim. */
  readonly claimedAt: Date
}

type DueRow = {
  order_id: string
  route: string
  lease_no: number
  attempt_id: string | null
  hold_reason: string | null
  claimed_at: Date
}

/** Orders with this hold reason are claimed by `claimQueuedOrders`. */
const waitsForNumber = 'not_registered'

/** The routes that have an order due now. Walks the index from route to route, so that a long queue costs nothing here. */
export async function listDueRoutes(db: Db): Promise<string[]> {
  const { rows } = await sql<{ route: string }>`
    with recursive present as (
      (select route from open_orders order by route limit 1)
      union all
      select (select route from open_orders where route > present.route order by route limit 1)
      from present where present.route is not null
    )
    select route from present
    where exists (
      select from open_orders
      where open_orders.route = present.route and next_step_at <= now() and lease_until <= now()
        and hold_reason is distinct from ${waitsForNumber})`.execute(db)
  return rows.map((row) => row.route)
}

/** All orders of a route that are due, or only those that have no open attempt. */
export type ClaimWhich = 'all' | 'unsent'

/**
 * When more orders are due than a claim takes, this share of it goes to questions and the rest to sends. So orders that
 * were sent do not wait behind a long queue, and a supplier that never gives a final answer does not stop sales.
 */
const questionShare = 0.75

/** Rounded up or down at random, so that a claim of a single order is sometimes a question and sometimes a send. */
function questionsOf(limit: number): number {
  return Math.floor(limit * questionShare + Math.random())
}

async function lockDue(tx: Tx, route: string, limit: number, which: ClaimWhich): Promise<DueRow[]> {
  const isDue = sql`
    route = ${route} and next_step_at <= clock_timestamp() and lease_until <= clock_timestamp()
    and hold_reason is distinct from ${waitsForNumber}`
  const { rows } = await sql<DueRow>`
    with asked as materialized (
      select order_id, route, lease_no, attempt_id, hold_reason from open_orders
      where ${isDue} and attempt_id is not null
      order by next_step_at
      limit ${which === 'all' ? limit : 0}
      for update skip locked
    ), unsent as materialized (
      select order_id, route, lease_no, attempt_id, hold_reason from open_orders
      where ${isDue} and attempt_id is null
      order by next_step_at
      limit ${limit}::bigint - least((select count(*) from asked), ${questionsOf(limit)}::bigint)
      for update skip locked
    ), due as (
      select * from unsent
      union all
      (select * from asked limit ${limit}::bigint - (select count(*) from unsent))
    )
    select *, clock_timestamp() as claimed_at from due`.execute(tx)
  return rows
}

type AttemptRow = {
  id: string
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
  callback_verdicts: CallbackVerdict[] | null
}

/** Reads attempts by id, each with the look-ups that already count towards a proof, and what callbacks said of its end. */
export async function listAttemptsById(db: Db, attemptIds: readonly string[]): Promise<Map<string, Attempt>> {
  if (attemptIds.length === 0) return new Map()
  const { rows } = await sql<AttemptRow>`
    select attempts.*, (
      select count(*)::integer from attempt_answers
      where attempt_answers.attempt_id = attempts.id and source = 'status' and answer = 'never_received') as proven_absences, (
      select min(said.created_at) from attempt_answers as said
      where said.attempt_id = attempts.id and said.source = 'status' and said.answer = 'unfulfilled'
        and not exists (select from attempt_answers as later
          where later.attempt_id = said.attempt_id and later.answer_no > said.answer_no
            and later.source in ('status', 'callback') and later.answer in ('accepted', 'delivered'))) as unfulfilled_since, (
      select json_agg(json_build_object('meaning', answer, 'evidence', evidence, 'supplierReference', supplier_reference)
        order by answer_no)
      from attempt_answers
      where attempt_answers.attempt_id = attempts.id and source = 'callback' and answer in ('delivered', 'failed')) as callback_verdicts
    from attempts where id = any(${attemptIds}::uuid[])`.execute(db)
  return new Map(
    rows.map((row) => [
      row.id,
      {
        id: row.id,
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
        callbackVerdicts: row.callback_verdicts ?? [],
      },
    ]),
  )
}

type TriedRow = { order_id: string; supplier: string; count: number; last_no: number }

async function listTried(tx: Tx, orderIds: readonly string[]): Promise<Map<string, TriedRow[]>> {
  const { rows } = await sql<TriedRow>`
    select order_id, supplier, count(*)::integer as count, max(attempt_no) as last_no
    from attempts where order_id = any(${orderIds}::uuid[]) group by order_id, supplier`.execute(tx)
  return Map.groupBy(rows, (row) => row.order_id)
}

/**
 * Locks orders of a route that are due, oldest step first, and reads what is known of them; `takeLeases` then makes
 * them this worker's. Orders that another worker is claiming at this moment are passed over, never waited for.
 */
export async function claimOpenOrders(tx: Tx, route: string, limit: number, which: ClaimWhich = 'all'): Promise<ClaimedOrder[]> {
  const due = await lockDue(tx, route, limit, which)
  if (due.length === 0) return []
  const orderIds = due.map((row) => row.order_id)
  const orders = await listOrdersById(tx, orderIds)
  const attempts = await listAttemptsById(
    tx,
    due.flatMap((row) => row.attempt_id ?? []),
  )
  const tried = await listTried(tx, orderIds)
  return due.map((row) => {
    const order = orders.get(row.order_id)
    const triedRows = tried.get(row.order_id) ?? []
    const attempt = row.attempt_id === null ? null : attempts.get(row.attempt_id)
    // Without the attempt's row it is not known whether the order was sent. Going on would mean sending again on a
    // guess.
    if (!order || attempt === undefined) throw new Error(`the open order ${row.order_id} has lost its order or its attempt`)
    return {
      order,
      route: row.route,
      leaseNo: row.lease_no + 1,
      holdReason: row.hold_reason,
      attempt,
      attemptCount: Math.max(0, ...triedRows.map(({ last_no: no }) => no)),
      triedSuppliers: new Map(triedRows.map(({ supplier, count }) => [supplier, count])),
      claimedAt: row.claimed_at,
    }
  })
}
