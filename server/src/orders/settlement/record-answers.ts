import { sql } from 'kysely'
import type { Tx } from '../../platform/database/database.ts'
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

/** A supplier may say much; an operator needs little of it. */
const evidenceLengthMax = 500

/** PostgreSQL text holds neither NUL nor half a surrogate pair, and a supplier may send either. */
function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '').slice(0, evidenceLengthMax).toWellFormed()
}

function storableOrNull(text: string | null): string | null {
  return text === null ? null : storable(text)
}

/**
 * Keeps every answer for ever, and writes where the attempts stand now. Answers that came under a lost
 * lease are kept as well but change nothing: whoever holds the lease now is asking for itself.
 */
export async function recordAnswers(tx: Tx, current: readonly Recorded[], late: readonly Recorded[]): Promise<void> {
  await keepAnswers(tx, [...current, ...late])
  if (current.length === 0) return
  await sql`
    update attempts
    set outcome = said.outcome, answered_at = clock_timestamp(),
      supplier_reference = coalesce(attempts.supplier_reference, said.supplier_reference)
    from unnest(
      ${current.map(({ attempt }) => attempt.id)}::uuid[],
      ${current.map(({ decision }) => decision.outcome)}::text[],
      ${current.map(({ spoken }) => storableOrNull(spoken.supplierReference))}::text[])
      as said (attempt_id, outcome, supplier_reference)
    where attempts.id = said.attempt_id`.execute(tx)
}

/** A callback was kept when it came. */
async function keepAnswers(tx: Tx, answers: readonly Recorded[]): Promise<void> {
  const all = answers.filter(({ spoken }) => spoken.source !== 'callback')
  if (all.length === 0) return
  await sql`
    insert into attempt_answers (
      attempt_id, source, answer, evidence, supplier_reference, reported_cost, reported_commission, account_name)
    select * from unnest(
      ${all.map(({ attempt }) => attempt.id)}::uuid[],
      ${all.map(({ spoken }) => spoken.source)}::text[],
      ${all.map(({ decision }) => decision.recordedAnswer)}::text[],
      ${all.map(({ spoken }) => storable(spoken.evidence))}::text[],
      ${all.map(({ spoken }) => storableOrNull(spoken.supplierReference))}::text[],
      ${all.map(({ spoken }) => spoken.reportedCostPesewas)}::bigint[],
      ${all.map(({ spoken }) => spoken.reportedCommissionPesewas)}::bigint[],
      ${all.map(({ spoken }) => storableOrNull(spoken.accountName))}::text[])`.execute(tx)
}
