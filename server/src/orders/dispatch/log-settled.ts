import type { Logger } from 'pino'
import type { SettledBatch, Settlement } from '../settlement/settle-attempts.ts'

/**
 * True when an answer changed what a person would see of the order: it ended, moved to another route, waits for another
 * reason, or its attempt has another outcome. Without this check, an order that is asked about for days would fill the log.
 */
function isVisibleChange({ attempt, holdReason, decision: { step, outcome } }: Settlement): boolean {
  if (!('holdReason' in step) || step.holdReason !== holdReason) return true
  // The order was held before this attempt. A second hold for the same reason is no news.
  return attempt.outcome === null ? step.holdReason === null : attempt.outcome !== outcome
}

function logSettlement(log: Logger, settlement: Settlement): void {
  const { order, attempt, decision } = settlement
  const fields = { reference: order.reference, supplier: attempt.supplier, outcome: decision.outcome, step: decision.step.do }
  if (!isVisibleChange(settlement)) {
    log.debug(fields, 'a supplier answered')
  } else if ('holdReason' in decision.step && decision.step.holdReason === 'no_definitive_answer') {
    log.error(fields, 'an order is without a definitive answer for too long')
  } else {
    log.info(fields, 'a supplier answered')
  }
}

/**
 * Logs an order when its answer changed what a person would see of it; with `LOG_LEVEL=debug` every answer. Warns of answers
 * that came after their lease.
 */
export function logSettled(log: Logger, { settled, late }: SettledBatch): void {
  for (const settlement of settled) logSettlement(log, settlement)
  for (const { order, attempt, decision } of late) {
    const fields = { reference: order.reference, supplier: attempt.supplier, answer: decision.recordedAnswer }
    log.warn(fields, 'an answer came after its lease')
  }
}
