import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { rowsOf } from '../../platform/database/rows-of.ts'
import type { SupplierAnswer } from '../../suppliers/ports.ts'
import { deniesEnd } from './denies-end.ts'
import { type Contradiction, writeContradictions } from './write-contradictions.ts'

/** What a genuine callback says about one of our attempts. */
export type SupplierCallback = {
  readonly supplier: string
  readonly outgoingReference: string
  readonly answer: SupplierAnswer
}

/** `unknown_reference`: no attempt of this supplier has the reference (yet). */
export type CallbackOutcome = 'noted' | 'unknown_reference'

type CalledAttempt = {
  readonly supplier: string
  readonly outgoing_reference: string
  readonly attempt_id: string
  readonly order_id: string
  readonly outcome: string | null
  readonly status: string
  readonly reference: string
}

/** A callback with the attempt it is about. */
type Told = SupplierCallback & { readonly attempt: CalledAttempt }

/** If the same callback comes twice at once, the second one waits here and then finds what the first one kept. */
async function awaitTwins(tx: Tx, callbacks: readonly SupplierCallback[]): Promise<void> {
  const names = callbacks.map(({ supplier, outgoingReference }) => `callback ${supplier} ${outgoingReference}`)
  await sql`
    select pg_advisory_xact_lock(key)
    from (select distinct hashtextextended(name, 0) as key from unnest(${names}::text[]) as name order by key) as keys`.execute(
    tx,
  )
}

function keyOf(supplier: string, outgoingReference: string): string {
  return `${supplier} ${outgoingReference}`
}

async function findAttempts(tx: Tx, callbacks: readonly SupplierCallback[]): Promise<Map<string, CalledAttempt>> {
  const { rows } = await sql<CalledAttempt>`
    select attempts.supplier, attempts.outgoing_reference, attempts.id as attempt_id, attempts.order_id, attempts.outcome,
      orders.status, orders.reference
    from attempts join orders on orders.id = attempts.order_id
    where ${rowsOf(callbacks, {
      supplier: ['text', ({ supplier }) => supplier],
      outgoing_reference: ['text', ({ outgoingReference }) => outgoingReference],
    }).matching('attempts')}`.execute(tx)
  return new Map(rows.map((row) => [keyOf(row.supplier, row.outgoing_reference), row]))
}

/** What makes two callbacks the same. */
function wordsOf(attemptId: string, meaning: string, evidence: string): string {
  return JSON.stringify([attemptId, meaning, evidence])
}

/** Each is kept once, however often it is sent. @returns those that are new */
async function keepEvidence(tx: Tx, told: readonly Told[]): Promise<Told[]> {
  const distinct = new Map(
    told.map((each) => [wordsOf(each.attempt.attempt_id, each.answer.meaning, each.answer.evidence), each]),
  )
  const all = [...distinct.values()]
  const { rows } = await sql<{ attempt_id: string; answer: string; evidence: string }>`
    insert into attempt_answers (
      attempt_id, source, answer, evidence, supplier_reference, reported_cost, reported_commission, account_name)
    select attempt_id, 'callback', answer, evidence, supplier_reference, reported_cost, reported_commission, account_name
    from ${rowsOf(all, {
      attempt_id: ['uuid', ({ attempt }) => attempt.attempt_id],
      answer: ['text', ({ answer }) => answer.meaning],
      evidence: ['text', ({ answer }) => answer.evidence],
      supplier_reference: ['text', ({ answer }) => answer.supplierReference ?? null],
      reported_cost: ['bigint', ({ answer }) => answer.reportedCostPesewas ?? null],
      reported_commission: ['bigint', ({ answer }) => answer.reportedCommissionPesewas ?? null],
      account_name: ['text', ({ answer }) => answer.accountName ?? null],
    }).as('told')}
    where not exists (
      select from attempt_answers as kept
      where kept.attempt_id = told.attempt_id and kept.source = 'callback'
        and kept.answer = told.answer and kept.evidence = told.evidence)
    returning attempt_id, answer, evidence`.execute(tx)
  return rows.flatMap((row) => distinct.get(wordsOf(row.attempt_id, row.answer, row.evidence)) ?? [])
}

/**
 * Makes the orders due, so that a worker asks the supplier at once: only the supplier's answer decides. The rows of the
 * schedule are locked in the same order as everywhere else. A row that is due already is not changed.
 */
async function makeDue(tx: Tx, told: readonly Told[]): Promise<void> {
  const news = told.filter(({ attempt, answer }) => !(answer.meaning === 'accepted' && attempt.outcome === 'accepted'))
  if (news.length === 0) return
  const { rows } = await sql<{ order_id: string; is_early: boolean }>`
    select open_orders.order_id, next_step_at > clock_timestamp() as is_early
    from open_orders
    join (select distinct * from ${rowsOf(news, {
      order_id: ['uuid', ({ attempt }) => attempt.order_id],
      attempt_id: ['uuid', ({ attempt }) => attempt.attempt_id],
    }).as('news')}) as news
      on news.order_id = open_orders.order_id and news.attempt_id = open_orders.attempt_id
    order by open_orders.order_id
    for update of open_orders`.execute(tx)
  const early = rows.filter((row) => row.is_early).map((row) => row.order_id)
  if (early.length === 0) return
  await sql`update open_orders set next_step_at = clock_timestamp() where order_id = any(${early}::uuid[])`.execute(tx)
}

function contradictionOf({ supplier, attempt, answer }: Told): Contradiction {
  return {
    orderId: attempt.order_id,
    attemptId: attempt.attempt_id,
    reference: attempt.reference,
    status: attempt.status,
    speaker: `a callback of ${supplier}`,
    words: `says ${answer.meaning}`,
    evidence: answer.evidence,
  }
}

/** Only a callback that says how an attempt ended can contradict the end of its order. */
function isVerdict({ answer }: Told): boolean {
  return answer.meaning === 'delivered' || answer.meaning === 'failed'
}

/**
 * Keeps what genuine callbacks say about our attempts, and makes the orders' next questions due now, all in one
 * transaction. Evidence against a terminal order is stored and raises an alarm; the order stays as it is.
 *
 * @returns what became of each, in the order given
 */
export function noteCallbacks(db: Db, callbacks: readonly SupplierCallback[]): Promise<CallbackOutcome[]> {
  return inTransaction(db, async (tx) => {
    await awaitTwins(tx, callbacks)
    const attempts = await findAttempts(tx, callbacks)
    const attemptOf = (of: SupplierCallback, among = attempts) => among.get(keyOf(of.supplier, of.outgoingReference))
    const told = callbacks.flatMap((callback) => {
      const attempt = attemptOf(callback)
      return attempt ? [{ ...callback, attempt }] : []
    })
    if (told.length > 0) {
      const fresh = await keepEvidence(tx, told)
      // First the rows of the schedule, then the alarms: the worker locks them in this order too.
      await makeDue(tx, told)
      // An order may have ended while we waited for the lock on its row. An order that is still open cannot end before
      // this transaction is committed; whoever ends it afterwards sees what was kept here.
      const verdicts = fresh.filter(isVerdict)
      const now = verdicts.length > 0 ? await findAttempts(tx, verdicts) : attempts
      const asItIsNow = verdicts.map((each) => ({ ...each, attempt: attemptOf(each, now) ?? each.attempt }))
      const denied = asItIsNow.filter(({ attempt, answer }) => deniesEnd(attempt, answer.meaning))
      await writeContradictions(tx, denied.map(contradictionOf))
    }
    return callbacks.map((callback) => (attemptOf(callback) ? 'noted' : 'unknown_reference'))
  })
}
