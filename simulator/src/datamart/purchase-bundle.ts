import { decideAcceptance, findRefusalCode } from '../desk/decide-purchase.ts'
import type { RefusedPurchase, SimulatedOrder } from '../desk/open-order-book.ts'
import type { ScriptedOutcome } from '../scripted-outcomes.ts'
import { findScriptedOutcome } from '../scripted-outcomes.ts'
import type { DataMartDesk } from './datamart-desk.ts'
import { findPricePesewas } from './find-price.ts'
import type { Purchase } from './read-purchase.ts'
import { readPurchase } from './read-purchase.ts'
import type { OrderView } from './view-order.ts'
import { viewOrder } from './view-order.ts'

export type PurchaseAnswer =
  | { readonly kind: 'taken'; readonly order: OrderView & { readonly balanceAfter: number; readonly isReplay: boolean } }
  | { readonly kind: 'refused'; readonly status: 400 | 402 | 409; readonly code: string; readonly message: string }
  | { readonly kind: 'page' | 'unreadable' | 'lost' }

/**
 * Accepts a purchase. A known reference gets its original answer, or a conflict if the purchase differs. Resolves when the
 * outcome is on disk.
 */
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
  // The first purchase with this reference may not be on disk yet. The answer waits for that write, which may fail.
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
  // This refusal is not stored: the same purchase may come again when the number is registered.
  if (purchase.network === 'YELLO' && !desk.isRegisteredSomewhere(purchase.phoneNumber)) return notRegistered()
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

/** The first answer shows the order as it was accepted, however long the write to disk took. */
function taken(desk: DataMartDesk, order: SimulatedOrder, isReplay: boolean): PurchaseAnswer {
  const seenAt = isReplay ? Date.now() : order.createdAt
  return { kind: 'taken', order: { ...viewOrder(order, seenAt), balanceAfter: desk.balancePesewas() / 100, isReplay } }
}

function refused({ code }: RefusedPurchase): PurchaseAnswer {
  return code === 'INVALID_RECIPIENT'
    ? { kind: 'refused', status: 400, code, message: 'This number cannot receive data bundles.' }
    : { kind: 'refused', status: 402, code, message: 'The wallet balance is not enough for this purchase.' }
}

function notRegistered(): PurchaseAnswer {
  const message = 'This number must be registered before it can receive data bundles.'
  return { kind: 'refused', status: 400, code: 'NUMBER_NOT_REGISTERED', message }
}

function duplicate(): PurchaseAnswer {
  return { kind: 'refused', status: 409, code: 'DUPLICATE_ORDER', message: 'A purchase with this ref was submitted earlier.' }
}
