import type { Purchaser } from '../../accounts/caller.ts'
import { type Pesewas, pesewas } from '../../money/pesewas.ts'
import { hashRequest, type Intake, placeOrders } from '../../orders/intake/place-orders.ts'
import type { Order } from '../../orders/order.ts'
import type { OrderItem } from '../../orders/order-kind.ts'
import { refuseReference } from '../../orders/order-reference.ts'
import type { Db } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/new-id.ts'
import { type Refusal, RefusalError } from '../../platform/http/refusals.ts'
import type { SecretsKeys } from '../../platform/secrets/secrets-keys.ts'
import type { Settings } from '../../platform/settings/settings.ts'
import type { VoucherRequest } from './results-checker.kind.ts'
import { voucherRefusals } from './results-checker.refusals.ts'
import type { VoucherPurchaseBody } from './results-checker.schemas.ts'
import { resultsCheckerEnabled, resultsCheckerMaxQuantity, vouchersSwitchedOff } from './results-checker.settings.ts'
import { listVouchersOfOrder, type UnsealedVoucher } from './unseal-vouchers.ts'

export type ResultsCheckerDeps = {
  readonly db: Db
  readonly intake: Intake
  readonly settings: Settings
  readonly secretsKeys: SecretsKeys
}

/** Equal requests have equal fingerprints, however they are written (decision R2). */
function fingerprintOf(body: VoucherPurchaseBody): string {
  const { typeId, quantity, reference, recipientPhone = null, recipientEmail = null } = body
  return hashRequest(['results_checker', typeId, quantity, reference, recipientPhone, recipientEmail])
}

/**
 * Prepares an order of vouchers for the intake. Leaves refusals to it, because a replay is answered even if vouchers are
 * off (decision A4: order of checks).
 */
async function makeVoucherOrderItem(
  deps: ResultsCheckerDeps,
  purchaser: Purchaser,
  body: VoucherPurchaseBody,
): Promise<OrderItem<VoucherRequest>> {
  const isEnabled = await deps.settings.read(resultsCheckerEnabled)
  const maximum = await deps.settings.read(resultsCheckerMaxQuantity)

  function refusalIfNew(): Refusal | undefined {
    if (!isEnabled) return vouchersSwitchedOff
    if (maximum !== null && body.quantity > maximum) return voucherRefusals.voucherQuantityTooLarge(maximum)
    return undefined
  }

  return {
    orderId: newId(),
    accountId: purchaser.accountId,
    personId: purchaser.personId,
    kind: 'results_checker',
    reference: body.reference,
    fingerprint: fingerprintOf(body),
    request: {
      typeId: body.typeId.toLowerCase(),
      quantity: body.quantity,
      recipientPhone: body.recipientPhone,
      recipientEmail: body.recipientEmail,
      refusalIfNew: refusalIfNew(),
    },
  }
}

/**
 * Buys vouchers from stock (contract, POST /resultschecker/purchase). A repeat with the same reference and body returns the
 * same vouchers and charges nothing.
 * @param shownPrice the total price that the person was shown; absent for a program
 * @throws RefusalError as the contract's error table says; no money has moved, except perhaps with `outcome_unknown`
 */
export async function purchaseVouchers(
  deps: ResultsCheckerDeps,
  purchaser: Purchaser,
  body: VoucherPurchaseBody,
  shownPrice?: Pesewas,
): Promise<{ order: Order; vouchers: UnsealedVoucher[]; isReplay: boolean; balancePesewas: Pesewas }> {
  const refused = refuseReference(body.reference)
  if (refused) throw new RefusalError(refused)
  const item = { ...(await makeVoucherOrderItem(deps, purchaser, body)), shownPrice }
  const outcome = await placeOrders(deps.intake, purchaser.accountId, [item])
  if ('refusal' in outcome) throw new RefusalError(outcome.refusal)
  const [placement] = outcome.placements
  if (!placement) throw new Error('a purchase was placed without an order')
  // The vouchers are read and unsealed again after the commit, for the answer.
  const vouchers = await listVouchersOfOrder(deps.db, deps.secretsKeys, placement.order.id)
  return { ...placement, vouchers, balancePesewas: pesewas(outcome.balance) }
}
