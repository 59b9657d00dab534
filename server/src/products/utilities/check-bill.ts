import type { Purchaser } from '../../accounts/caller.ts'
import { weighPurchase } from '../../orders/checking/check-lines.ts'
import { checkOrder } from '../../orders/checking/check-order.ts'
import type { Epoch } from '../../platform/database/epoch.ts'
import { RefusalError } from '../../platform/http/refusals.ts'
import { makeBillItem, type PayCheckDeps } from './pay-bill.ts'
import { utilitiesKind } from './utilities.kind.ts'
import type { UtilityPayBody } from './utilities.schemas.ts'

/**
 * Checks a bill as its payment would, but does not look whether it was paid a moment ago. Only the payment can, under the
 * wallet's lock.
 *
 * @throws RefusalError as the payment would
 */
export async function checkBill(deps: PayCheckDeps & { readonly epoch: Epoch }, purchaser: Purchaser, body: UtilityPayBody) {
  const item = await makeBillItem(deps, purchaser, body)
  const decision = checkOrder(utilitiesKind, item, {
    purchaser,
    now: deps.epoch.databaseNow(),
    catalogueVersion: item.request.plan.version,
    read: { fresh: undefined, paidAt: new Map(), paidHere: new Set<string>(), names: new Map() },
  })
  if ('refusal' in decision) throw new RefusalError(decision.refusal)
  return weighPurchase(deps.db, purchaser.accountId, [decision])
}
