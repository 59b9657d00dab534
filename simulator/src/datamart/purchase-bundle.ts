import type { ScriptedOutcome } from '../scripted-outcomes.ts'
import { findScriptedOutcome } from '../scripted-outcomes.ts'
import { decideAcceptance, findRefusalCode } from '../stand-in/decide-purchase.ts'
import type { RefusedPurchase, SimulatedOrder } from '../stand-in/open-order-book.ts'
import type { DataMartStandIn } from './datamart-stand-in.ts'
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
  standIn: DataMartStandIn,
  body: unknown,
  idempotencyKey: string | string[] | undefined,
): Promise<PurchaseAnswer> {
  const purchase = readPurchase(body, idempotencyKey)
  if ('code' in purchase) return { kind: 'refused', status: 400, ...purchase }
  const outcome = findScriptedOutcome(purchase.phoneNumber, standIn.behaviour.scripts)
  if (outcome === 'never_received') return { kind: 'lost' }
  return (await answerKnownReference(standIn, purchase)) ?? acceptPurchase(standIn, purchase, outcome)
}

async function answerKnownReference(standIn: DataMartStandIn, purchase: Purchase): Promise<PurchaseAnswer | undefined> {
  const isKnown = () => standIn.book.find(purchase.ref) ?? standIn.book.findRefusal(purchase.ref)
  if (!isKnown()) return undefined
  // The first purchase with this reference may not be on disk yet. The answer waits for that write, which may fail.
  await standIn.book.settled()
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
  return known.outcome === 'duplicate' ? duplicate() : acceptedAnswer(standIn, known, true)
}

async function acceptPurchase(standIn: DataMartStandIn, purchase: Purchase, outcome: ScriptedOutcome): Promise<PurchaseAnswer> {
  // This refusal is not stored: the same purchase may come again when the number is registered.
  if (purchase.network === 'YELLO' && !standIn.isRegisteredSomewhere(purchase.phoneNumber)) return notRegistered()
  const costPesewas = findPricePesewas(purchase)
  const code = findRefusalCode(standIn, outcome, costPesewas)
  if (code) {
    const refusedPurchase = { ...purchase, code }
    await standIn.book.refuse(refusedPurchase)
    return refused(refusedPurchase)
  }
  const order = await standIn.book.accept(purchase, decideAcceptance(standIn, outcome, costPesewas))
  if (outcome === 'answer_lost' || outcome === 'duplicate') await standIn.finish(order)
  else if (order.status === 'open') standIn.schedule(order)
  if (outcome === 'answer_lost') return { kind: 'lost' }
  if (outcome === 'duplicate') return duplicate()
  if (outcome === 'page_then_failed') return { kind: 'page' }
  if (outcome === 'unreadable') return { kind: 'unreadable' }
  return acceptedAnswer(standIn, order, false)
}

/** The first answer shows the order as it was accepted, however long the write to disk took. */
function acceptedAnswer(standIn: DataMartStandIn, order: SimulatedOrder, isReplay: boolean): PurchaseAnswer {
  const seenAt = isReplay ? Date.now() : order.createdAt
  return { kind: 'taken', order: { ...viewOrder(order, seenAt), balanceAfter: standIn.balancePesewas() / 100, isReplay } }
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
