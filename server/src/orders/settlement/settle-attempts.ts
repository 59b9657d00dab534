import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import { rowsOf } from '../../platform/database/rows-of.ts'
import type { AnswerSource, Attempt } from '../attempt.ts'
import type { Decision } from '../next-step.ts'
import type { Order, SoldBy } from '../order.ts'
import { packEvidence, readEvidenceHex } from '../packed-evidence.ts'
import { leaseSeconds } from '../schedule/claim-open-orders.ts'
import type { OrderRelease } from '../schedule/release-orders.ts'

/** A supplier's or a person's answer, as the operator sees it. */
export type AnswerDetails = {
  readonly source: AnswerSource | 'person'
  readonly evidence: string
  readonly supplierReference: string | null
  readonly reportedCostPesewas: number | null
  readonly reportedCommissionPesewas: number | null
  readonly accountName: string | null
}

/** An answer, the decision on it, and the lease under which it came. */
export type Settlement = {
  readonly order: Order
  readonly product: SoldBy
  /** What was sold, such as `MTN 1GB` or `bill ecg`. */
  readonly title: string
  readonly attempt: Attempt
  readonly leaseNo: number
  /** The order's hold reason before this answer. */
  readonly holdReason: string | null
  readonly spoken: AnswerDetails
  readonly decision: Decision
  /** True: if this answer fails the order, the same transaction refunds it. */
  readonly refunds: boolean
  readonly actor: string
}

/** The result of a batch. `late` are answers whose lease was lost: they are recorded but change nothing. */
export type SettledBatch = { readonly settled: readonly Settlement[]; readonly late: readonly Settlement[] }

/** A supplier's answer may be long. The operator needs only its beginning. */
const evidenceLengthMax = 500

/** Shortens a supplier's text, removes NUL and replaces halves of surrogate pairs, which PostgreSQL text cannot hold. */
export function toStorableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '').slice(0, evidenceLengthMax).toWellFormed()
}

function storableOrNull(text: string | null): string | null {
  return text === null ? null : toStorableText(text)
}

/**
 * Seconds after a supplier's "not registered" until the registration is checked. The wait grows with each attempt: where
 * the registration servers and the supplier disagree, the order would otherwise go back and forth all day.
 */
const registrationWaitSeconds = [5, 30, 300, 1_800]

function registrationWaitAfter(attemptNo: number): number {
  return registrationWaitSeconds[Math.min(attemptNo, registrationWaitSeconds.length) - 1] ?? 0
}

type Release = Pick<OrderRelease, 'afterSeconds' | 'holdReason' | 'isAttemptOver'> & { readonly route?: string }

/** The order's next step; undefined when the order ends. */
function releaseOf({ attempt, decision: { step } }: Settlement): Release | undefined {
  switch (step.do) {
    case 'complete':
    case 'fail':
      return undefined
    case 'ask_again':
      return { afterSeconds: step.afterSeconds, holdReason: step.holdReason, isAttemptOver: false }
    case 'send_again':
      return { afterSeconds: step.afterSeconds, holdReason: step.holdReason, isAttemptOver: true }
    case 'send_elsewhere':
      return { afterSeconds: 0, holdReason: null, isAttemptOver: true, route: step.route }
    case 'send_elsewhere_later':
      return { afterSeconds: step.afterSeconds, holdReason: step.holdReason, isAttemptOver: true, route: step.route }
    case 'hold_for_registration': {
      const afterSeconds = registrationWaitAfter(attempt.attemptNo)
      return { afterSeconds, holdReason: 'not_registered', isAttemptOver: true }
    }
  }
  return step satisfies never
}

function endOf({ decision: { step } }: Settlement): 'completed' | 'failed' | null {
  if (step.do === 'complete') return 'completed'
  return step.do === 'fail' ? 'failed' : null
}

/** The supplier's reference; null when the attempt has it: most suppliers repeat it in each answer. */
function newReferenceOf({ attempt, spoken }: Settlement): string | null {
  const reference = storableOrNull(spoken.supplierReference)
  return reference === attempt.supplierReference ? null : reference
}

/** The result of a batch. `denied` are orders that ended here although a callback says the opposite, with its evidence. */
export type SettledAttempts = SettledBatch & { readonly denied: readonly Settlement[] }

type SettledRow = { readonly held: number[]; readonly denied: { orderId: string; evidenceHex: string }[] | null }

/**
 * Writes everything that answers change except money and alarms, in one call (function `settle_attempts`): every answer as
 * evidence, and for the orders whose lease is still ours the outcome of the attempt and the order's end or next step. A
 * callback's answer is already stored, so it is not written again. An answer under a lost lease changes no order: the worker
 * that holds the lease now asks for itself.
 * @param isAlone true: the call is a whole transaction. It fails when a lease was lost or a callback contradicts an end; the
 * caller then settles again in a transaction that also writes what follows from that
 */
export async function settleAttempts(db: Db, settlements: readonly Settlement[], isAlone: boolean): Promise<SettledAttempts> {
  const steps = settlements.map((settlement) => ({ ...settlement, release: releaseOf(settlement) }))
  const columns = rowsOf(steps, {
    order_ids: ['uuid', ({ order }) => order.id],
    lease_nos: ['bigint', ({ leaseNo }) => leaseNo],
    attempt_nos: ['integer', ({ attempt }) => attempt.attemptNo],
    sources: ['text', ({ spoken }) => spoken.source],
    answers: ['text', ({ decision }) => decision.recordedAnswer],
    evidences: ['bytea', ({ spoken }) => packEvidence(toStorableText(spoken.evidence))],
    supplier_references: ['text', newReferenceOf],
    reported_costs: ['bigint', ({ spoken }) => spoken.reportedCostPesewas],
    reported_commissions: ['bigint', ({ spoken }) => spoken.reportedCommissionPesewas],
    account_names: ['text', ({ spoken }) => storableOrNull(spoken.accountName)],
    outcomes: ['text', ({ decision }) => decision.outcome],
    ends: ['text', endOf],
    actors: ['text', ({ actor }) => actor],
    after_seconds: ['float8', ({ release }) => release?.afterSeconds ?? null],
    hold_reasons: ['text', ({ release }) => release?.holdReason ?? null],
    are_attempts_over: ['boolean', ({ release }) => release?.isAttemptOver ?? null],
    routes: ['text', ({ release }) => release?.route ?? null],
    are_our_mistakes: ['boolean', ({ decision }) => decision.isOurMistake === true],
  })
  const { rows } = await sql<SettledRow>`
    select * from settle_attempts(
      ${columns.asArguments()}, lease_seconds => ${leaseSeconds}, is_alone => ${isAlone})`.execute(db)
  const [row] = rows
  if (!row) throw new Error('the database did not settle the batch')
  const held = new Set(row.held)
  const settled = settlements.filter((_settlement, index) => held.has(index + 1))
  const denied = (row.denied ?? []).flatMap(({ orderId, evidenceHex }) => {
    const settlement = settled.find(({ order }) => order.id === orderId)
    if (!settlement) return []
    const evidence = readEvidenceHex(evidenceHex)
    const recordedAnswer = endOf(settlement) === 'completed' ? ('failed' as const) : ('delivered' as const)
    return { ...settlement, spoken: { ...settlement.spoken, evidence }, decision: { ...settlement.decision, recordedAnswer } }
  })
  return { settled, late: settlements.filter((_settlement, index) => !held.has(index + 1)), denied }
}

/** True when `settleAttempts` with `isAlone` failed because a lease was lost or a callback contradicts an end. */
export function needsLargerTransaction(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'MK001'
}
