import { sql } from 'kysely'
import { raiseAlarms } from '../notices/raise-alarm.ts'
import type { Tx } from '../platform/database/database.ts'
import { newId } from '../platform/database/new-id.ts'
import { deniesEnd } from '../suppliers/denies-end.ts'
import type { Attempt } from './attempt.ts'
import type { Decision } from './decide-next-step.ts'
import type { OrderStatus } from './order-life-cycle.ts'
import type { SpokenAnswer } from './record-answers.ts'

type LateAnswer = { readonly attempt: Attempt; readonly spoken: SpokenAnswer; readonly decision: Decision }

/**
 * Stores evidence against how an order ended and raises an alarm; the order itself stays as it is
 * (decisions S12). Evidence that agrees with the order's state leaves no trace here.
 */
export async function recordContradictions(tx: Tx, answers: readonly LateAnswer[]): Promise<void> {
  const { rows } = await sql<{ attempt_id: string; outcome: string | null; status: OrderStatus; reference: string }>`
    select attempts.id as attempt_id, attempts.outcome, orders.status, orders.reference
    from attempts join orders on orders.id = attempts.order_id
    where attempts.id = any(${answers.map(({ attempt }) => attempt.id)}::uuid[])`.execute(tx)
  const ends = new Map(rows.map((row) => [row.attempt_id, row]))
  for (const { attempt, spoken, decision } of answers) {
    const end = ends.get(attempt.id)
    if (!end || !deniesEnd(end, decision.recordedAnswer)) continue
    const evidence = `${attempt.supplier} now says ${decision.recordedAnswer} of ${attempt.outgoingReference}: ${spoken.evidence}`
    await tx
      .insertInto('contradictions')
      .values({
        id: newId(),
        order_id: attempt.orderId,
        attempt_id: attempt.id,
        status: end.status,
        evidence: evidence.toWellFormed().replaceAll('\0', '').slice(0, 1_000).toWellFormed(),
      })
      .execute()
    await raiseAlarms(tx, [
      {
        name: 'contradiction',
        subject: end.reference,
        message: `Order ${end.reference} is ${end.status}, but ${attempt.supplier} now says ${decision.recordedAnswer}.`,
      },
    ])
  }
}
