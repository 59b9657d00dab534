import { sql } from 'kysely'
import type { Tx } from '../../platform/database/database.ts'
import { lockWallets } from '../wallets.ts'
import { creditTopUp } from './credit-top-up.ts'
import { decideTopUp, type TopUpDecision } from './decide-top-up.ts'
import type { PaymentAnswer } from './payment-gateway.ts'
import { readTopUp, type TopUpRow } from './read-top-up.ts'
import { checkTopUpMove } from './top-up-life.ts'

/**
 * A top-up as it was before the answer, and the decision on the answer. A `problem` in the decision needs an alarm, in the same
 * transaction.
 */
export type ConcludedTopUp = { readonly topUp: TopUpRow; readonly decision: TopUpDecision }

/** The gateway's words are cut to this length before they are stored. */
const evidenceLengthMax = 2_000

function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '').slice(0, evidenceLengthMax)
}

/** Locks the wallet and then the top-up: the order in which all code that credits locks them. */
export async function lockTopUp(tx: Tx, id: string): Promise<TopUpRow | undefined> {
  const found = await readTopUp(tx, id)
  if (!found) return undefined
  await lockWallets(tx, [{ accountId: found.account_id, purse: 'main' }])
  return tx.selectFrom('top_ups').selectAll().where('id', '=', id).forUpdate().executeTakeFirstOrThrow()
}

/**
 * Carries out a gateway's answer for a top-up. Several answers may come at the same time, in any order. The lock on the row
 * makes them wait for each other, and the primary key of `transfers` allows only one credit.
 * @throws Error when there is no such top-up
 */
export async function concludeTopUp(tx: Tx, id: string, answer: PaymentAnswer): Promise<ConcludedTopUp> {
  const topUp = await lockTopUp(tx, id)
  if (!topUp) throw new Error(`there is no top-up ${id}`)
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(tx)
  const now = rows[0]?.now ?? new Date()
  const decision = decideTopUp(
    {
      state: topUp.state,
      reference: topUp.reference,
      amount: topUp.amount,
      fee: topUp.fee,
      createdAt: topUp.created_at,
      expiresAt: topUp.expires_at ?? now,
      unansweredSince: topUp.unanswered_since,
    },
    answer,
    now,
  )
  const lastAnswer = {
    said: answer.meaning,
    evidence: storable(answer.evidence),
    asked_at: now,
    ...(answer.meaning === 'paid' && { channel: answer.channel === undefined ? null : storable(answer.channel) }),
  }
  // Only forgetting the payer takes the last answer of an ended top-up away. This one may name the payer anew.
  if (topUp.ended_at !== null && topUp.said === null) {
    await sql`insert into top_ups_to_forget values (${id}) on conflict do nothing`.execute(tx)
  }
  if (decision.to === 'credited') {
    await creditTopUp(tx, topUp, lastAnswer)
    return { topUp, decision }
  }
  if (decision.to !== undefined) checkTopUpMove(topUp.state, decision.to)
  await tx
    .updateTable('top_ups')
    .set({
      // An answer that comes after the credit does not overwrite the answer that proved the payment.
      ...(topUp.state === 'credited' ? {} : lastAnswer),
      next_ask_at: decision.nextAskAt,
      // After the last question the silence is over: the next callback begins anew.
      unanswered_since: answer.meaning === 'unanswered' && decision.nextAskAt ? (topUp.unanswered_since ?? now) : null,
      ...(decision.to !== undefined && { state: decision.to, ended_at: now }),
      ...(decision.reason !== undefined && { reason: storable(decision.reason) }),
    })
    .where('id', '=', id)
    .execute()
  return { topUp, decision }
}
