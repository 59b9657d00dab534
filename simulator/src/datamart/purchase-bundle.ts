import type { ScriptedOutcome } from '../scripted-outcomes.ts'
import { findScriptedOutcome } from '../scripted-outcomes.ts'
import type { DataMartDesk } from './datamart-desk.ts'
import { findPricePesewas } from './find-price.ts'
import type { Acceptance, DataMartOrder, RefusedPurchase } from './open-order-book.ts'
import type { Purchase } from './read-purchase.ts'
import { readPurchase } from './read-purchase.ts'
import type { OrderView } from './view-order.ts'
import { viewOrder } from './view-order.ts'

export type PurchaseAnswer =
  | { readonly kind: 'taken'; readonly order: OrderView & { readonly balanceAfter: number; readonly isReplay: boolean } }
  | { readonly kind: 'refused'; readonly status: 400 | 402 | 409; readonly code: string; readonly message: string }
  | { readonly kind: 'page' | 'unreadable' | 'lost' }

/** Takes a purchase, or answers one whose reference is known with its original. Resolves when its outcome is on disk. */
export async function purchaseBundle(
  desk: DataMartDesk,
  body: unknown,
  idempotencyKey: string | string[] | undefined,
): Promise<PurchaseAnswer> {
  const purchase = readPurchase(body, idempotencyKey)
  if ('code' in purchase) return { kind: 'refused', status: 400, ...purchase }
  const outcome = findScriptedOutcome(purchase.phoneNumber, desk.behaviour.scripts)
  if (outcome === 'never_received') return { kind: 'lost' }
  return (await answerKnownReference(desk, purchase)) ?? takePurchase(desk, purchase, outcome)
}

async function answerKnownReference(desk: DataMartDesk, purchase: Purchase): Promise<PurchaseAnswer | undefined> {
  const isKnown = () => desk.book.find(purchase.ref) ?? desk.book.findRefusal(purchase.ref)
  if (!isKnown()) return undefined
  // The first purchase of this reference may still be on its way to the disk, and fail to get there.
  await desk.book.settled()
  const known = isKnown()
  if (!known) return undefined
  const isSame =
    known.ref === purchase.ref &&
    known.phoneNumber === purchase.phoneNumber &&
    known.network === purchase.network &&
    known.capacity === purchase.capacity
  if (!isSame) {
    return { kind: 'refused', status: 409, code: 'REFERENCE_CONFLICT', message: 'This ref was used for another purchase.' }
  }
  if ('code' in known) return refused(known)
  return known.outcome === 'duplicate' ? duplicate() : taken(desk, known, true)
}

async function takePurchase(desk: DataMartDesk, purchase: Purchase, outcome: ScriptedOutcome): Promise<PurchaseAnswer> {
  const costPesewas = findPricePesewas(purchase)
  const code = findRefusalCode(desk, outcome, costPesewas)
  if (code) {
    const refusedPurchase = { ...purchase, code }
    await desk.book.refuse(refusedPurchase)
    return refused(refusedPurchase)
  }
  const order = await desk.book.accept(purchase, decideAcceptance(desk, outcome, costPesewas))
  if (outcome === 'answer_lost' || outcome === 'duplicate') await desk.finish(order)
  else if (order.status === 'open') desk.schedule(order)
  if (outcome === 'answer_lost') return { kind: 'lost' }
  if (outcome === 'duplicate') return duplicate()
  if (outcome === 'page_then_failed') return { kind: 'page' }
  if (outcome === 'unreadable') return { kind: 'unreadable' }
  return taken(desk, order, false)
}

function findRefusalCode(desk: DataMartDesk, outcome: ScriptedOutcome, costPesewas: number): RefusedPurchase['code'] | undefined {
  if (outcome === 'recipient_rejected') return 'INVALID_RECIPIENT'
  const isFloatEmpty = outcome === 'float_refused' || desk.isFloatSaidToBeEmpty() || desk.balancePesewas() < costPesewas
  return isFloatEmpty ? 'INSUFFICIENT_BALANCE' : undefined
}

function decideAcceptance(desk: DataMartDesk, outcome: ScriptedOutcome, costPesewas: number): Acceptance {
  const { behaviour } = desk
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

function taken(desk: DataMartDesk, order: DataMartOrder, isReplay: boolean): PurchaseAnswer {
  return { kind: 'taken', order: { ...viewOrder(order, Date.now()), balanceAfter: desk.balancePesewas() / 100, isReplay } }
}

function refused({ code }: RefusedPurchase): PurchaseAnswer {
  return code === 'INVALID_RECIPIENT'
    ? { kind: 'refused', status: 400, code, message: 'This number cannot receive data bundles.' }
    : { kind: 'refused', status: 402, code, message: 'The wallet balance is not enough for this purchase.' }
}

function duplicate(): PurchaseAnswer {
  return { kind: 'refused', status: 409, code: 'DUPLICATE_ORDER', message: 'A purchase with this ref was submitted earlier.' }
}
