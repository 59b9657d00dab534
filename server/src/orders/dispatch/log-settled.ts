import type { Logger } from 'pino'
import type { SettledBatch, Settlement } from '../settlement/settle-orders.ts'

/**
 * Whether an answer brought an order into another state than the one it was in, as a person would see it: it ended, went
 * elsewhere, waits for another reason, or more is known of its attempt. One that is asked about for days is not told of
 * at every question.
 */
function isNews({ attempt, holdReason, decision: { step, outcome } }: Settlement): boolean {
  if (!('holdReason' in step) || step.holdReason !== holdReason) return true
  // A new attempt of an order that was held already, and is held for the same reason again, is no news.
  return attempt.outcome === null ? step.holdReason === null : attempt.outcome !== outcome
}

function logSettlement(log: Logger, settlement: Settlement): void {
  const { order, attempt, decision } = settlement
  const fields = { reference: order.reference, supplier: attempt.supplier, outcome: decision.outcome, step: decision.step.do }
  if (!isNews(settlement)) {
    log.debug(fields, 'a supplier answered')
  } else if ('holdReason' in decision.step && decision.step.holdReason === 'no_definitive_answer') {
    log.error(fields, 'an order is without a definitive answer for too long')
  } else {
    log.info(fields, 'a supplier answered')
  }
}

/** Writes what became of orders into the log, each state of an order once; with `LOG_LEVEL=debug` every answer. */
export function logSettled(log: Logger, { settled, late }: SettledBatch): void {
  for (const settlement of settled) logSettlement(log, settlement)
  for (const { order, attempt, decision } of late) {
    const fields = { reference: order.reference, supplier: attempt.supplier, answer: decision.recordedAnswer }
    log.warn(fields, 'an answer came after its lease')
  }
}
