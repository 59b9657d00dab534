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

/** For this long after it was made, an ended top-up is still asked about, to find a payment that succeeded late. */
export const lateCheckMilliseconds = minutes(72 * 60)

/**
 * The time of the next question: after a quarter of the top-up's age, within bounds. So the gateway is asked often while
 * the payer is paying, and less and less afterwards.
 */
function nextAsk(topUp: DecidedTopUp, now: Date, hasEnded: boolean): Date | null {
  const age = now.getTime() - topUp.createdAt.getTime()
  const least = hasEnded ? minutes(10) : seconds(5)
  const most = hasEnded ? minutes(6 * 60) : minutes(10)
  const at = new Date(now.getTime() + Math.min(most, Math.max(least, age / 4)))
  return hasEnded && at.getTime() > topUp.createdAt.getTime() + lateCheckMilliseconds ? null : at
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
  if (!isAskable(topUp.state)) return { nextAskAt: null }
  const isOpen = topUp.state === 'pending'
  if (!isOpen || answer.meaning === 'unanswered') return { nextAskAt: nextAsk(topUp, now, !isOpen) }
  if (answer.meaning === 'failed') {
    return { to: 'failed', reason: answer.reason ?? 'The payment failed.', nextAskAt: nextAsk(topUp, now, true) }
  }
  if (now < topUp.expiresAt) return { nextAskAt: nextAsk(topUp, now, false) }
  return { to: 'expired', reason: 'Nothing was paid in time.', nextAskAt: nextAsk(topUp, now, true) }
}
