import type { ScriptedOutcome } from '../scripted-outcomes.ts'
import type { Acceptance, RefusedPurchase } from './open-order-book.ts'
import type { SupplierStandIn } from './open-supplier-stand-in.ts'

/**
 * Finds why a purchase is refused: because of its recipient's script, or because our float is too small or is set to look
 * empty.
 */
export function findRefusalCode(
  standIn: SupplierStandIn,
  outcome: ScriptedOutcome,
  costPesewas: number,
): RefusedPurchase['code'] | undefined {
  if (outcome === 'recipient_rejected') return 'INVALID_RECIPIENT'
  const isFloatEmpty = outcome === 'float_refused' || standIn.isFloatSetEmpty() || standIn.balancePesewas() < costPesewas
  return isFloatEmpty ? 'INSUFFICIENT_BALANCE' : undefined
}

/** Decides when an accepted purchase ends, and whether it has already failed. */
export function decideAcceptance(standIn: SupplierStandIn, outcome: ScriptedOutcome, costPesewas: number): Acceptance {
  const { behaviour } = standIn
  const finishesIn: Partial<Record<ScriptedOutcome, number>> = {
    delivered_late: behaviour.lateDeliveryMilliseconds,
    failed_later: behaviour.failureMilliseconds,
    unreadable: behaviour.unreadableMilliseconds,
    answer_lost: 0,
    duplicate: 0,
    page_then_failed: 0,
  }
  return {
    outcome,
    costPesewas,
    finishesInMilliseconds: finishesIn[outcome] ?? behaviour.deliveryMilliseconds,
    hasFailed: outcome === 'page_then_failed',
  }
}
