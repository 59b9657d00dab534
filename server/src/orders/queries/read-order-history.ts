import { sql } from 'kysely'
import { type Pesewas, pesewas } from '../../money/pesewas.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { readId } from '../../platform/database/read-id.ts'
import { listPutAwayMonths, type PutAwayMonth } from '../../platform/partitions/put-away-months.ts'
import { listOrdersById, type Order } from '../order.ts'
import { readEvidence } from '../packed-evidence.ts'
import type { ProductFacts } from '../product-facts.ts'
import { selectNamedOrders } from './orders-named.ts'

/** The row of an open order in the schedule. Undefined once the order has ended. */
export type OpenState = {
  readonly route: string
  /** Null: it waits for a person, or its product's own loop works on it. */
  readonly nextStepAt: Date | null
  readonly leaseUntil: Date | null
  readonly isAskedNext: boolean
  readonly holdReason: string | null
}

export type AnswerRecord = { readonly at: Date; readonly source: string; readonly answer: string; readonly evidence: string }

export type AttemptRecord = {
  readonly attemptNo: number
  readonly supplier: string
  readonly outgoingReference: string
  readonly supplierReference: string | null
  readonly createdAt: Date
  readonly sendBeforeAt: Date
  readonly outcome: string | null
  readonly asks: number
  readonly answers: readonly AnswerRecord[]
}

export type EventRecord = {
  readonly at: Date
  readonly from: string
  readonly to: string
  readonly reason: string | null
  readonly actor: string
}

/** A proposal of a person about the order, from the queue of approvals. */
export type ProposalRecord = {
  readonly approvalId: string
  readonly state: 'pending' | 'done' | 'refused' | 'expired'
  readonly outcome: 'completed' | 'failed' | 'refunded' | 'adjusted'
  /** The amount of an adjustment: above 0 to the reseller, below 0 from the reseller. */
  readonly amountPesewas: Pesewas | null
  readonly evidence: string
  readonly proposedBy: string
  readonly proposedAt: Date
  readonly confirmedBy: string | null
  /** Users of the operating system; null where they are not known. */
  readonly proposedOsUser: string | null
  readonly confirmedOsUser: string | null
  /** The second person's note, or the reason of the refusal. */
  readonly note: string | null
}

export type OrderHistory = {
  readonly order: Order
  /** Where the events and attempts are put away. Undefined: they are all in the database. */
  readonly putAway: PutAwayHistory | undefined
  readonly open: OpenState | undefined
  readonly events: readonly EventRecord[]
  readonly attempts: readonly AttemptRecord[]
  readonly contradictions: readonly { readonly at: Date; readonly evidence: string }[]
  readonly proposals: readonly ProposalRecord[]
}

/**
 * Finds an order by its reference in the shared name space, by its reference where we choose those of its product, or by its
 * id.
 */
export async function findOrderId(db: Db, products: readonly ProductFacts[], referenceOrId: string): Promise<string | undefined> {
  const byReference = await db
    .selectFrom('order_references')
    .select('order_id')
    .where('reference', '=', referenceOrId)
    .executeTakeFirst()
  if (byReference) return byReference.order_id
  for (const select of selectNamedOrders(products, referenceOrId)) {
    const { rows } = await select.execute(db)
    if (rows[0]) return rows[0].id
  }
  const id = readId(referenceOrId)
  if (id === undefined) return undefined
  const byId = await db.selectFrom('orders').select('id').where('id', '=', id).executeTakeFirst()
  return byId?.id
}

async function readOpenState(db: Db, orderId: string): Promise<OpenState | undefined> {
  const { rows } = await sql<{
    route: string
    next_step_at: Date | null
    lease_until: Date | null
    attempt_no: number | null
    hold_reason: string | null
  }>`
    select route, nullif(next_step_at, 'infinity') as next_step_at, case when lease_until > now() then lease_until end as lease_until, attempt_no, hold_reason
    from open_orders where order_id = ${orderId}`.execute(db)
  const row = rows[0]
  if (!row) return undefined
  return {
    route: row.route,
    nextStepAt: row.next_step_at,
    leaseUntil: row.lease_until,
    isAskedNext: row.attempt_no !== null,
    holdReason: row.hold_reason,
  }
}

async function listAttempts(db: Db, orderId: string): Promise<AttemptRecord[]> {
  const attempts = await db.selectFrom('attempts').selectAll().where('order_id', '=', orderId).orderBy('attempt_no').execute()
  if (attempts.length === 0) return []
  const answers = await db
    .selectFrom('attempt_answers')
    .selectAll()
    .where('order_id', '=', orderId)
    .orderBy('answer_no')
    .execute()
  return attempts.map((attempt) => ({
    attemptNo: attempt.attempt_no,
    supplier: attempt.supplier,
    outgoingReference: attempt.outgoing_reference,
    supplierReference: attempt.supplier_reference,
    createdAt: attempt.created_at,
    sendBeforeAt: attempt.send_before,
    outcome: attempt.outcome,
    asks: attempt.asks,
    answers: answers
      .filter((answer) => answer.attempt_no === attempt.attempt_no)
      .map(({ created_at: at, source, answer, evidence }) => ({ at, source, answer, evidence: readEvidence(evidence) })),
  }))
}

async function listProposals(db: Db, orderId: string): Promise<ProposalRecord[]> {
  const { rows } = await sql<Omit<ProposalRecord, 'amountPesewas'> & { amount: number | null }>`
    select id as "approvalId", case when state = 'pending' and expires_at <= now() then 'expired' else state end as state,
      case kind when 'order adjust' then 'adjusted' when 'order take-back' then 'refunded' else request ->> 'outcome' end as outcome,
      (request ->> 'amount')::bigint as amount, reason as evidence, proposed_by as "proposedBy", created_at as "proposedAt",
      nullif(proposed_os_user, '') as "proposedOsUser", decision_note as note,
      case when state = 'done' then decided_by end as "confirmedBy",
      case when state = 'done' then decided_os_user end as "confirmedOsUser"
    from approvals
    where key = ${orderId} and kind in ('order settle', 'order take-back', 'order adjust')
    order by created_at, id`.execute(db)
  return rows.map(({ amount, ...row }) => ({ ...row, amountPesewas: amount === null ? null : pesewas(amount) }))
}

export async function readOrderHistory(
  db: Db,
  products: readonly ProductFacts[],
  referenceOrId: string,
): Promise<OrderHistory | undefined> {
  const orderId = await findOrderId(db, products, referenceOrId)
  return orderId === undefined ? undefined : readHistoryOf(db, orderId)
}

export async function readHistoryOf(db: Db, orderId: string): Promise<OrderHistory | undefined> {
  const order = (await listOrdersById(db, [orderId])).get(orderId)
  if (!order) return undefined
  const events = await db.selectFrom('order_events').selectAll().where('order_id', '=', orderId).orderBy('event_no').execute()
  const contradictions = await db.selectFrom('contradictions').selectAll().where('order_id', '=', orderId).orderBy('id').execute()
  return {
    order,
    putAway: await findPutAway(db, orderId),
    open: await readOpenState(db, orderId),
    events: events.map((row) => ({
      at: row.created_at,
      from: row.from_status,
      to: row.to_status,
      reason: row.reason,
      actor: row.actor,
    })),
    attempts: await listAttempts(db, orderId),
    contradictions: contradictions.map((row) => ({ at: row.created_at, evidence: row.evidence })),
    proposals: await listProposals(db, orderId),
  }
}

/** The place of an order's history that is put away. */
export type PutAwayHistory = Pick<PutAwayMonth, 'month' | 'folder' | 'host'>

/** Finds where the history of an order is put away: its moves, attempts and transfers. Undefined when it is in the database. */
export async function findPutAway(db: Db | Tx, orderId: string): Promise<PutAwayHistory | undefined> {
  const month = (await listPutAwayMonths(db)).find(({ first, end }) => orderId >= first && orderId < end)
  if (!month) return undefined
  const stayed = await db.selectFrom('transfers').select('cause_id').where('cause_id', '=', orderId).executeTakeFirst()
  return stayed ? undefined : month
}

/** Describes in a few words where an order's history is put away. */
export const describePutAway = ({ month, folder, host }: PutAwayHistory): string =>
  `put away in ${month}${folder === null ? '' : `, in ${folder} on ${host}`}`
