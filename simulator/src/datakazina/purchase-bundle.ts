import type { ScriptedOutcome } from '../scripted-outcomes.ts'
import { findScriptedOutcome } from '../scripted-outcomes.ts'
import { decideAcceptance, findRefusalCode } from '../stand-in/decide-purchase.ts'
import type { SimulatedOrder } from '../stand-in/open-order-book.ts'
import type { DataKazinaStandIn } from './datakazina-stand-in.ts'
import { findPricePesewas } from './price-list.ts'
import { type Purchase, type PurchaseProblem, readPurchase } from './read-purchase.ts'
import { type OrderView, viewOrder } from './view-order.ts'

export type PurchaseAnswer =
  | { readonly kind: 'taken'; readonly order: OrderView }
  /** An earlier purchase used this reference. `code` is its order, where DataKazina names it. */
  | { readonly kind: 'duplicate'; readonly code: string | undefined }
  | { readonly kind: 'refused'; readonly status: 400 | 402; readonly code: string; readonly message: string }
  | { readonly kind: 'page' | 'unreadable' | 'lost' }

/** Accepts a purchase, or answers that its reference was used before. Resolves when the outcome is on disk. */
export async function purchaseBundle(standIn: DataKazinaStandIn, body: unknown): Promise<PurchaseAnswer> {
  const purchase = readPurchase(body)
  if ('code' in purchase) return refused(400, purchase)
  const earlier = await findEarlier(standIn, purchase)
  if (earlier) return duplicate(standIn, earlier)
  const outcome = findScriptedOutcome(purchase.phoneNumber, standIn.behaviour.scripts)
  if (outcome !== 'never_received') return acceptPurchase(standIn, purchase, outcome)
  // DataKazina finds a purchase only by its own code. After a lost request Makola has no code, so it sends the purchase
  // again. The second purchase is accepted and fails later, so that the order ends as with the other suppliers.
  return standIn.wasLostBefore(purchase.ref) ? acceptPurchase(standIn, purchase, 'failed_later') : { kind: 'lost' }
}

async function findEarlier(standIn: DataKazinaStandIn, { ref }: Purchase): Promise<SimulatedOrder | undefined> {
  const isOfRef = () => {
    const found = standIn.book.find(ref)
    return found?.ref === ref ? found : undefined
  }
  if (!isOfRef()) return undefined
  // The first purchase with this reference may not be on disk yet. The answer waits for that write, which may fail.
  await standIn.book.settled()
  return isOfRef()
}

async function acceptPurchase(standIn: DataKazinaStandIn, purchase: Purchase, outcome: ScriptedOutcome): Promise<PurchaseAnswer> {
  const costPesewas = findPricePesewas(purchase)
  const code = findRefusalCode(standIn, outcome, costPesewas)
  // A refused purchase is not stored, so its reference stays free.
  if (code === 'INVALID_RECIPIENT') return refused(400, { code, message: 'This number cannot receive data bundles.' })
  if (code) return refused(402, { code, message: 'The console balance is not enough for this purchase.' })
  const order = await standIn.book.accept(purchase, decideAcceptance(standIn, outcome, costPesewas))
  if (outcome === 'answer_lost' || outcome === 'duplicate') await standIn.finish(order)
  else if (order.status === 'open') standIn.schedule(order)
  if (outcome === 'answer_lost') return { kind: 'lost' }
  if (outcome === 'duplicate') return duplicate(standIn, order)
  if (outcome === 'page_then_failed') return { kind: 'page' }
  if (outcome === 'unreadable') return { kind: 'unreadable' }
  return { kind: 'taken', order: viewOrder(order, Date.now()) }
}

function refused(
  status: 400 | 402,
  { code, message }: { code: PurchaseProblem['code'] | 'INSUFFICIENT_BALANCE'; message: string },
) {
  return { kind: 'refused', status, code, message } as const
}

function duplicate(standIn: DataKazinaStandIn, order: SimulatedOrder): PurchaseAnswer {
  return { kind: 'duplicate', code: standIn.behaviour.isDuplicateCodeTold ? standIn.codeOf(order) : undefined }
}
