import { sql } from 'kysely'
import { raiseAlarms } from '../notices/raise-alarm.ts'
import type { Db, Tx } from '../platform/database/database.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import { newId } from '../platform/database/new-id.ts'
import type { SupplierAnswer } from './ports.ts'

type CalledAttempt = {
  readonly attempt_id: string
  readonly order_id: string
  readonly outcome: string | null
  readonly status: string
  readonly reference: string
}

async function findAttempt(tx: Tx, supplier: string, outgoingReference: string): Promise<CalledAttempt | undefined> {
  const { rows } = await sql<CalledAttempt>`
    select attempts.id as attempt_id, attempts.order_id, attempts.outcome, orders.status, orders.reference
    from attempts join orders on orders.id = attempts.order_id
    where attempts.supplier = ${supplier} and attempts.outgoing_reference = ${outgoingReference}`.execute(tx)
  return rows[0]
}

/** Outcomes with which an order went on, or ended, without this attempt: were it delivered now, it would be once too often. */
const concludedWithout: ReadonlySet<string> = new Set([
  'failed',
  'rejected_recipient',
  'rejected_request',
  'rejected_platform',
  'throttled',
  'never_received',
  'not_registered',
  'not_sent',
  'unreachable',
])

/** Whether what a callback says denies how the order or its attempt ended (decisions S12). */
function contradicts(attempt: CalledAttempt, meaning: SupplierAnswer['meaning']): boolean {
  if (meaning === 'delivered') {
    const wasPaidBack = attempt.status === 'failed' || attempt.status === 'refunded'
    return wasPaidBack || (attempt.outcome !== null && concludedWithout.has(attempt.outcome))
  }
  return meaning === 'failed' && attempt.status === 'completed' && attempt.outcome === 'delivered'
}

/** Kept once, however often it is sent. @returns whether it is new */
async function keepEvidence(tx: Tx, attempt: CalledAttempt, answer: SupplierAnswer): Promise<boolean> {
  const { rows } = await sql`
    insert into attempt_answers (attempt_id, source, answer, evidence, supplier_reference, reported_cost, reported_commission)
    select ${attempt.attempt_id}::uuid, 'callback', ${answer.meaning}::text, ${answer.evidence}::text,
      ${answer.supplierReference ?? null}::text, ${answer.reportedCostPesewas ?? null}::bigint,
      ${answer.reportedCommissionPesewas ?? null}::bigint
    where not exists (
      select from attempt_answers
      where attempt_id = ${attempt.attempt_id}::uuid and source = 'callback'
        and answer = ${answer.meaning} and evidence = ${answer.evidence})
    returning answer_no`.execute(tx)
  return rows.length > 0
}

async function recordContradiction(tx: Tx, supplier: string, attempt: CalledAttempt, answer: SupplierAnswer): Promise<void> {
  await tx
    .insertInto('contradictions')
    .values({
      id: newId(),
      order_id: attempt.order_id,
      attempt_id: attempt.attempt_id,
      status: attempt.status,
      evidence: `a callback of ${supplier} says ${answer.meaning}: ${answer.evidence}`,
    })
    .execute()
  const message = `Order ${attempt.reference} is ${attempt.status}, but a callback of ${supplier} says ${answer.meaning}.`
  await raiseAlarms(tx, [{ name: 'contradiction', subject: attempt.reference, message }])
}

/** Lets the worker ask at once. A callback decides nothing itself: what the supplier says when asked does. */
async function makeDue(tx: Tx, attempt: CalledAttempt): Promise<void> {
  await sql`
    update open_orders set next_step_at = least(next_step_at, clock_timestamp())
    where order_id = ${attempt.order_id}::uuid and attempt_id = ${attempt.attempt_id}::uuid`.execute(tx)
}

/**
 * Keeps what a genuine callback says about one of our attempts, and makes the order's next question due now.
 * Evidence against a terminal order is stored and raises an alarm; the order stays as it is.
 *
 * @returns `unknown_reference` when no attempt of this supplier has the reference (yet)
 */
export function noteCallback(
  db: Db,
  supplier: string,
  outgoingReference: string,
  answer: SupplierAnswer,
): Promise<'noted' | 'unknown_reference'> {
  return inTransaction(db, async (tx) => {
    // The same callback twice at once: the second one waits here, and then sees what the first one kept.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`callback ${supplier} ${outgoingReference}`}, 0))`.execute(tx)
    const attempt = await findAttempt(tx, supplier, outgoingReference)
    if (!attempt) return 'unknown_reference'
    const isNew = await keepEvidence(tx, attempt, answer)
    const isNothingNew = answer.meaning === 'accepted' && attempt.outcome === 'accepted'
    // The order's schedule before its alarm, as the worker locks them.
    if (!isNothingNew) await makeDue(tx, attempt)
    // An order that was open until now may have ended while we waited for its schedule. One that is still open
    // cannot end before this is committed: whoever ends it then sees what was kept here.
    const now = (await findAttempt(tx, supplier, outgoingReference)) ?? attempt
    if (isNew && contradicts(now, answer.meaning)) await recordContradiction(tx, supplier, now, answer)
    return 'noted'
  })
}
