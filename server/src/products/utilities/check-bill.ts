import type { Purchaser } from '../../accounts/caller.ts'
import { calculateWalletAfter, viewSameOrder } from '../../orders/checking/check-lines.ts'
import { checkOrder } from '../../orders/checking/check-order.ts'
import { findSameOrders } from '../../orders/checking/find-same-orders.ts'
import type { Epoch } from '../../platform/database/epoch.ts'
import { RefusalError } from '../../platform/http/refusals.ts'
import { makeBillItem, type PayCheckDeps } from './pay-bill.ts'
import { utilitiesKind } from './utilities.kind.ts'
import type { UtilityPayBody } from './utilities.schemas.ts'

/**
 * Checks a bill as its payment would, and finds recent payments of the same bill. Does not check whether one is so recent that
 * the payment is refused: only the payment can know that, under the wallet's lock.
 *
 * @throws RefusalError as the payment would
 */
export async function checkBill(deps: PayCheckDeps & { readonly epoch: Epoch }, purchaser: Purchaser, body: UtilityPayBody) {
  const item = await makeBillItem(deps, purchaser, body)
  const now = deps.epoch.databaseNow()
  const decision = checkOrder(utilitiesKind, item, {
    purchaser,
    now,
    catalogueVersion: item.request.plan.version,
    read: { fresh: undefined, paidAt: new Map(), paidHere: new Set<string>(), names: new Map() },
  })
  if ('refusal' in decision) throw new RefusalError(decision.refusal)
  const { accountId } = purchaser
  const { biller, account, amountPesewas } = item.request
  const goods = { recipient: account, network: biller, variety: String(amountPesewas) }
  const same = await findSameOrders(deps.db, { accountId, kind: utilitiesKind.name, now }, [goods])
  return { ...(await calculateWalletAfter(deps.db, accountId, [decision])), same: viewSameOrder(same.get(0)) }
}
