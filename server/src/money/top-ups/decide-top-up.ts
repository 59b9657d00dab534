import { formatGhs, pesewas } from '../pesewas.ts'
import type { PaymentAnswer } from './payment-gateway.ts'
import { isAskable, type TopUpState } from './top-up-life.ts'

/** The fields of a top-up that the decision depends on. */
export type DecidedTopUp = {
  readonly state: TopUpState
  readonly reference: string
  readonly amount: number
  readonly fee: number
  readonly createdAt: Date
  readonly expiresAt: Date
  /** The time of our first question that the gateway has not answered. Null: it answered the last one. */
  readonly unansweredSince: Date | null
}

export type TopUpDecision = {
  /** Undefined: its state does not change. */
  readonly to?: TopUpState
  readonly reason?: string
  /** A problem that a person must look at. */
  readonly problem?: { readonly kind: 'held' | 'contradiction'; readonly message: string }
  /** The time of the worker's next question to the gateway. Null: never. */
  readonly nextAskAt: Date | null
}

const seconds = (count: number) => count * 1_000
const minutes = (count: number) => seconds(60 * count)

/**
 * For this long after it was made, an ended top-up is still asked about, to find a payment that succeeded late. A credited one
 * is asked about when a callback comes, and as long after it while the gateway does not answer.
 */
export const lateCheckMilliseconds = minutes(72 * 60)

/**
 * The time of the next question: after a quarter of the time since `since`, within bounds. So the gateway is asked often while
 * the payer is paying, and less and less afterwards.
 */
function nextAsk(since: Date, now: Date, hasEnded: boolean): Date | null {
  const age = now.getTime() - since.getTime()
  const least = hasEnded ? minutes(10) : seconds(5)
  const most = hasEnded ? minutes(6 * 60) : minutes(10)
  const at = new Date(now.getTime() + Math.min(most, Math.max(least, age / 4)))
  return hasEnded && at.getTime() > since.getTime() + lateCheckMilliseconds ? null : at
}

/** Describes how a payment differs from the request, by reference, currency or amount. Undefined: it does not. */
function differenceOf(topUp: DecidedTopUp, paid: Extract<PaymentAnswer, { meaning: 'paid' }>): string | undefined {
  const wanted = topUp.amount + topUp.fee
  if (paid.reference !== topUp.reference) return `it was paid under the reference ${paid.reference}, not ${topUp.reference}`
  if (paid.currency !== 'GHS') return `it was paid in ${paid.currency}, not in GHS`
  if (paid.amountPesewas === wanted) return undefined
  return `${formatGhs(pesewas(paid.amountPesewas))} was paid, and ${formatGhs(pesewas(wanted))} was asked for`
}

function decidePaid(topUp: DecidedTopUp, paid: Extract<PaymentAnswer, { meaning: 'paid' }>): TopUpDecision {
  if (!isAskable(topUp.state)) return { nextAskAt: null }
  const difference = differenceOf(topUp, paid)
  if (difference === undefined) return { to: 'credited', nextAskAt: null }
  return { to: 'held', reason: difference, problem: { kind: 'held', message: difference }, nextAskAt: null }
}

/**
 * Decides on a gateway's answer about a top-up. Only proof of a payment of exactly the right amount credits the top-up, even
 * after it has failed or expired. Once the payer can pay, only an answer of the gateway ends it without money, never the lack
 * of an answer. A pure function.
 */
export function decideTopUp(topUp: DecidedTopUp, answer: PaymentAnswer, now: Date): TopUpDecision {
  if (answer.meaning === 'paid') return decidePaid(topUp, answer)
  if (topUp.state === 'credited' && answer.meaning === 'failed') {
    const message = `the wallet was credited, and now the gateway says: ${answer.reason ?? 'failed'}`
    return { problem: { kind: 'contradiction', message }, nextAskAt: null }
  }
  if (topUp.state === 'credited' && answer.meaning === 'unanswered') {
    // A callback made us ask. It may be about a payment that was taken back, and nothing else would make us ask again.
    return { nextAskAt: nextAsk(topUp.unansweredSince ?? now, now, true) }
  }
  if (!isAskable(topUp.state)) return { nextAskAt: null }
  const isOpen = topUp.state === 'pending'
  if (!isOpen || answer.meaning === 'unanswered') return { nextAskAt: nextAsk(topUp.createdAt, now, !isOpen) }
  if (answer.meaning === 'failed') {
    return { to: 'failed', reason: answer.reason ?? 'The payment failed.', nextAskAt: nextAsk(topUp.createdAt, now, true) }
  }
  if (now < topUp.expiresAt) return { nextAskAt: nextAsk(topUp.createdAt, now, false) }
  return { to: 'expired', reason: 'Nothing was paid in time.', nextAskAt: nextAsk(topUp.createdAt, now, true) }
}
