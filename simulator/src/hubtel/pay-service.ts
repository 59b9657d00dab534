import { anyRecipient, findScriptedOutcome, type ScriptedOutcome } from '../scripted-outcomes.ts'
import { answer, codes, invalidAnswer } from './answer.ts'
import type { HubtelStandIn } from './hubtel-stand-in.ts'
import { type Payment, readPayment } from './read-payment.ts'
import { findService, isUnknownAccount } from './services.ts'
import { viewTaken } from './view-transaction.ts'

export type PaymentAnswer =
  | { readonly kind: 'answered'; readonly status: 200 | 400; readonly body: unknown }
  | { readonly kind: 'page' | 'unreadable' | 'lost' }

const invalid = (field: string, error: string): PaymentAnswer => ({
  kind: 'answered',
  status: 400,
  body: invalidAnswer(field, error),
})

/**
 * Finds the outcome by the recipient's number (phone, meter or smartcard). A bill for an unknown account fails. For any
 * other bill whose number has the outcome `delivered`, the customer's phone number decides, unless a script covers all numbers.
 */
function findOutcome(standIn: HubtelStandIn, payment: Payment): ScriptedOutcome {
  const outcome = findScriptedOutcome(payment.recipient, standIn.behaviour.scripts)
  if (findService(payment.serviceId)?.product !== 'utilities') return outcome
  if (isUnknownAccount(payment.recipient)) return 'recipient_rejected'
  const isForAll = standIn.behaviour.scripts.has(anyRecipient)
  return outcome === 'delivered' && !isForAll ? findScriptedOutcome(payment.destination, standIn.behaviour.scripts) : outcome
}

/** Accepts a payment. Resolves when the outcome is on disk. */
export async function payService(standIn: HubtelStandIn, serviceId: string, rawBody: string): Promise<PaymentAnswer> {
  const payment = readPayment(serviceId, rawBody)
  if ('field' in payment) return invalid(payment.field, payment.error)
  const outcome = findOutcome(standIn, payment)
  if (outcome === 'never_received') return { kind: 'lost' }
  // Hubtel's documents do not describe a repeated request. The simulator refuses it, and only the message gives the reason.
  if (standIn.book.find(payment.reference)) return invalid('ClientReference', 'This reference is a duplicate.')
  const { sessionId } = payment
  if (sessionId !== undefined && !standIn.useSession(sessionId, payment.recipient)) {
    return invalid('Extradata', 'The session is not one of this meter, or was used.')
  }
  return acceptPayment(standIn, payment, outcome)
}

async function acceptPayment(standIn: HubtelStandIn, payment: Payment, outcome: ScriptedOutcome): Promise<PaymentAnswer> {
  const isBill = findService(payment.serviceId)?.product === 'utilities'
  // A bill for a number that cannot be served is accepted, and fails later.
  if (outcome === 'recipient_rejected' && !isBill) return invalid('Destination', 'This number cannot be served.')
  const isFloatEmpty =
    outcome === 'float_refused' || standIn.isFloatSetEmpty() || standIn.balancePesewas() < payment.amountPesewas
  if (isFloatEmpty) {
    await standIn.book.add(payment, { outcome, finishesAt: 0, status: 'held' })
    return { kind: 'answered', status: 200, body: answer(codes.floatEmpty, 'Insufficient prepaid balance.') }
  }
  const finishesAt = Date.now() + finishesIn(standIn, outcome)
  const status = outcome === 'page_then_failed' ? 'failed' : 'open'
  const transaction = await standIn.book.add(payment, { outcome, finishesAt, status })
  if (outcome === 'answer_lost' || outcome === 'duplicate') await standIn.finish(transaction)
  else if (status === 'open') standIn.schedule(transaction)
  if (outcome === 'answer_lost') return { kind: 'lost' }
  if (outcome === 'duplicate') return invalid('ClientReference', 'This reference is a duplicate.')
  if (outcome === 'page_then_failed') return { kind: 'page' }
  if (outcome === 'unreadable') return { kind: 'unreadable' }
  return {
    kind: 'answered',
    status: 200,
    body: answer(codes.pending, 'Your transaction is being processed.', viewTaken(transaction)),
  }
}

function finishesIn({ behaviour }: HubtelStandIn, outcome: ScriptedOutcome): number {
  const milliseconds: Partial<Record<ScriptedOutcome, number>> = {
    delivered_late: behaviour.lateDeliveryMilliseconds,
    failed_later: behaviour.failureMilliseconds,
    recipient_rejected: behaviour.failureMilliseconds,
    unreadable: behaviour.unreadableMilliseconds,
  }
  return milliseconds[outcome] ?? behaviour.deliveryMilliseconds
}
