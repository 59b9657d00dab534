import { raiseAlarms } from '../../notices/raise-alarm.ts'
import type { Tx } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/new-id.ts'
import { meaningOf } from '../outcomes.ts'

/** Evidence that an order did not end as it is recorded. */
export type Contradiction = {
  readonly orderId: string
  readonly attemptNo: number
  readonly reference: string
  /** The order's status. It can also be an open one, when the order went on with another attempt. */
  readonly status: string
  /** The source, as the subject of a sentence: `a callback of hubtel`. */
  readonly speaker: string
  /** The answer, with the verb: `says delivered`. */
  readonly words: string
  readonly evidence: string
}

const evidenceLengthMax = 1_000

/**
 * Stores contradictions and raises an alarm for each of their orders; the orders stay as they are (decision S12: evidence
 * against an ended order).
 */
export async function writeContradictions(tx: Tx, contradictions: readonly Contradiction[]): Promise<void> {
  if (contradictions.length === 0) return
  await tx
    .insertInto('contradictions')
    .values(
      contradictions.map(({ orderId, attemptNo, status, speaker, words, evidence }) => ({
        id: newId(),
        order_id: orderId,
        attempt_no: attemptNo,
        status,
        // PostgreSQL text holds neither NUL nor half a surrogate pair, and a supplier may send either.
        evidence: `${speaker} ${words}: ${evidence}`
          .toWellFormed()
          .replaceAll('\0', '')
          .slice(0, evidenceLengthMax)
          .toWellFormed(),
      })),
    )
    .execute()
  await raiseAlarms(
    tx,
    contradictions.map(({ reference, status, speaker, words }) => ({
      name: 'contradiction',
      subject: reference,
      message: `Order ${reference} is ${status}, but ${speaker} ${words}.`,
    })),
  )
}

/** The status of an order, and the last known outcome of one of its attempts that it no longer waits for. */
type AttemptEnd = { readonly status: string; readonly outcome: string | null }

/**
 * True when a supplier's new answer denies how the order or its attempt ended (decision S12: evidence against an ended
 * order). Pure.
 */
export function contradictsEnd({ status, outcome }: AttemptEnd, said: string): boolean {
  if (said === 'delivered') {
    // The supplier reports that this attempt delivered, but the order failed, was refunded, or went on without this attempt.
    return status === 'failed' || status === 'refunded' || meaningOf(outcome)?.proves === 'no delivery'
  }
  return said === 'failed' && status === 'completed' && outcome === 'delivered'
}
