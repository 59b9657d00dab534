import { sql } from 'kysely'
import type { Tx } from '../../platform/database/database.ts'
import { rowsOf } from '../../platform/database/rows-of.ts'
import type { Attempt } from '../attempt.ts'
import type { Decision } from '../next-step.ts'

/** What was said, by whom, as it is kept for the operator. */
export type SpokenAnswer = {
  readonly source: 'send' | 'status' | 'callback' | 'person'
  readonly evidence: string
  readonly supplierReference: string | null
  readonly reportedCostPesewas: number | null
  readonly reportedCommissionPesewas: number | null
  readonly accountName: string | null
}

type Recorded = { readonly attempt: Attempt; readonly spoken: SpokenAnswer; readonly decision: Decision }

/** A supplier's answer may be long; the operator needs only its beginning. */
const evidenceLengthMax = 500

/** PostgreSQL text holds neither NUL nor half a surrogate pair, and a supplier may send either. */
function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '').slice(0, evidenceLengthMax).toWellFormed()
}

function storableOrNull(text: string | null): string | null {
  return text === null ? null : storable(text)
}

/**
 * Keeps every answer for ever, and updates the outcomes of the attempts. An answer under a lost lease is kept too but
 * changes nothing: the worker that holds the lease now asks for itself.
 */
export async function recordAnswers(tx: Tx, current: readonly Recorded[], late: readonly Recorded[]): Promise<void> {
  await keepAnswers(tx, [...current, ...late])
  if (current.length === 0) return
  await sql`
    update attempts
    set outcome = said.outcome, answered_at = clock_timestamp(),
      supplier_reference = coalesce(attempts.supplier_reference, said.supplier_reference)
    from ${rowsOf(current, {
      attempt_id: ['uuid', ({ attempt }) => attempt.id],
      outcome: ['text', ({ decision }) => decision.outcome],
      supplier_reference: ['text', ({ spoken }) => storableOrNull(spoken.supplierReference)],
    }).as('said')}
    where attempts.id = said.attempt_id`.execute(tx)
}

/** Callbacks are left out: they were stored when they came. */
async function keepAnswers(tx: Tx, answers: readonly Recorded[]): Promise<void> {
  const all = answers.filter(({ spoken }) => spoken.source !== 'callback')
  if (all.length === 0) return
  await sql`
    insert into attempt_answers ${rowsOf(all, {
      attempt_id: ['uuid', ({ attempt }) => attempt.id],
      source: ['text', ({ spoken }) => spoken.source],
      answer: ['text', ({ decision }) => decision.recordedAnswer],
      evidence: ['text', ({ spoken }) => storable(spoken.evidence)],
      supplier_reference: ['text', ({ spoken }) => storableOrNull(spoken.supplierReference)],
      reported_cost: ['bigint', ({ spoken }) => spoken.reportedCostPesewas],
      reported_commission: ['bigint', ({ spoken }) => spoken.reportedCommissionPesewas],
      account_name: ['text', ({ spoken }) => storableOrNull(spoken.accountName)],
    }).forInsert()}`.execute(tx)
}
