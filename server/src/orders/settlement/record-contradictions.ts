import { sql } from 'kysely'
import type { Tx } from '../../platform/database/database.ts'
import { amongIds } from '../../platform/partitions/partitions.ts'
import type { Attempt } from '../attempt.ts'
import { contradictsEnd, writeContradictions } from '../evidence/write-contradictions.ts'
import type { Decision } from '../next-step.ts'
import type { OrderStatus } from '../order-life-cycle.ts'
import type { AnswerDetails } from './settle-attempts.ts'

type LateAnswer = { readonly attempt: Attempt; readonly spoken: AnswerDetails; readonly decision: Decision }

/**
 * Stores evidence that an order did not end as it is recorded, and raises an alarm. The order itself does not change
 * (decision S12: evidence against an ended order). Evidence that agrees with the order's state is not stored here.
 */
export async function recordContradictions(tx: Tx, answers: readonly LateAnswer[]): Promise<void> {
  const { rows } = await sql<{ outgoing_reference: string; outcome: string | null; status: OrderStatus; reference: string }>`
    select attempts.outgoing_reference, attempts.outcome, orders.status, orders.reference
    from attempts join orders on orders.id = attempts.order_id
    where ${amongIds(
      'attempts.order_id',
      answers.map(({ attempt }) => attempt.orderId),
    )}`.execute(tx)
  const ends = new Map(rows.map((row) => [row.outgoing_reference, row]))
  const denied = answers.flatMap(({ attempt, spoken, decision }) => {
    const end = ends.get(attempt.outgoingReference)
    if (!end || !contradictsEnd(end, decision.recordedAnswer)) return []
    return {
      orderId: attempt.orderId,
      attemptNo: attempt.attemptNo,
      reference: end.reference,
      status: end.status,
      speaker: attempt.supplier,
      words: `now says ${decision.recordedAnswer} of ${attempt.outgoingReference}`,
      evidence: spoken.evidence,
    }
  })
  await writeContradictions(tx, denied)
}
