import type { Purchaser } from '../../accounts/caller.ts'
import { type Pesewas, pesewas } from '../../money/pesewas.ts'
import { type Intake, placeOrders } from '../../orders/intake/place-orders.ts'
import type { Order } from '../../orders/order.ts'
import { refuseReference } from '../../orders/order-reference.ts'
import { RefusalError } from '../../platform/http/refusals.ts'
import { dataRefusals } from './data.refusals.ts'
import type { DataPurchaseBody } from './data.schemas.ts'
import { type DataDeps, makeDataOrderItems } from './data-order-item.ts'

/**
 * Buys one data bundle (contract, POST /data/purchase). A repeat with the same reference and body
 * returns the original order and charges nothing.
 *
 * @throws RefusalError as the contract's error table says; no money has moved, except perhaps with `outcome_unknown`
 */
export async function purchaseData(
  deps: DataDeps & { readonly intake: Intake },
  purchaser: Purchaser,
  body: DataPurchaseBody,
): Promise<{ order: Order; isReplay: boolean; balancePesewas: Pesewas }> {
  const refused = refuseReference(body.reference)
  if (refused) throw new RefusalError(refused)
  const { items, registrations } = await makeDataOrderItems(deps, purchaser, [body], 'refuse')
  const outcome = await placeOrders(deps.intake, purchaser.accountId, items)
  if ('refusal' in outcome) {
    if (outcome.refusal === dataRefusals.numberNotRegistered) await registrations.submit([body.recipient])
    throw new RefusalError(outcome.refusal)
  }
  const [placement] = outcome.placements
  if (!placement) throw new Error('a purchase was placed without an order')
  return { ...placement, balancePesewas: pesewas(outcome.balance) }
}
