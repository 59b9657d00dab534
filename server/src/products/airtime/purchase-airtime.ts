import type { Purchaser } from '../../accounts/caller.ts'
import type { CommissionPlan } from '../../money/commission-plan.ts'
import { amountProblem, formatGhs, type Pesewas, pesewas, pesewasFromGhs } from '../../money/pesewas.ts'
import { prefixCheck } from '../../networks/networks.settings.ts'
import { belongsToNetwork, type NumberPlan } from '../../networks/number-plan.ts'
import { hashRequest, type Intake, placeOrders } from '../../orders/intake/place-orders.ts'
import type { Order } from '../../orders/order.ts'
import type { OrderItem } from '../../orders/order-kind.ts'
import { refuseReference } from '../../orders/order-reference.ts'
import { newId } from '../../platform/database/new-id.ts'
import { type Refusal, RefusalError, refusals } from '../../platform/http/refusals.ts'
import type { Settings } from '../../platform/settings/settings.ts'
import type { Routes } from '../../suppliers/route-ports.ts'
import type { AirtimeRequest } from './airtime.kind.ts'
import type { AirtimePurchaseBody } from './airtime.schemas.ts'
import { airtimeBounds, airtimeEnabled, airtimeSwitchedOff } from './airtime.settings.ts'

export type AirtimeDeps = {
  readonly settings: Settings
  readonly numberPlan: () => Promise<NumberPlan>
  readonly commissionPlan: () => Promise<CommissionPlan>
  readonly routes: Pick<Routes, 'choose'>
}

/** Equal requests have equal fingerprints, however the amount is written (decision R2). */
function fingerprintOf(body: AirtimePurchaseBody): string {
  return hashRequest(['airtime', body.network, body.beneficiary_phone, body.amount, body.reference])
}

/**
 * Checks that apply to new orders only, not to replays: the switch, the prefix table and the bounds, in this order (decision
 * A4: the order of checks).
 */
async function refusalIfNew(deps: AirtimeDeps, body: AirtimePurchaseBody, amount: Pesewas): Promise<Refusal | undefined> {
  const { network, beneficiary_phone: number } = body
  const bounds = airtimeBounds[network]
  const [isEnabled, check, plan, minimum, maximum] = await Promise.all([
    deps.settings.read(airtimeEnabled),
    deps.settings.read(prefixCheck),
    deps.numberPlan(),
    deps.settings.read(bounds.minimum),
    deps.settings.read(bounds.maximum),
  ])
  if (!isEnabled) return airtimeSwitchedOff
  if (check === 'enforce' && !belongsToNetwork(plan, number, network)) return refusals.prefixMismatch(network)
  const [least, most] = [pesewasFromGhs(minimum) ?? pesewas(0), pesewasFromGhs(maximum) ?? pesewas(0)]
  if (amount >= least && amount <= most) return undefined
  return refusals.invalidRequest(`amount must be between ${formatGhs(least)} and ${formatGhs(most)} on ${network}.`)
}

/** Prepares an order of airtime for the intake. A replay is answered even if the switch or the bounds would refuse it now. */
export async function makeAirtimeOrderItem(
  deps: AirtimeDeps,
  purchaser: Purchaser,
  body: AirtimePurchaseBody,
  amountPesewas: Pesewas,
): Promise<OrderItem<AirtimeRequest>> {
  const request: AirtimeRequest = {
    network: body.network,
    recipient: body.beneficiary_phone,
    amountPesewas,
    plan: await deps.commissionPlan(),
    refusalIfNew: await refusalIfNew(deps, body, amountPesewas),
    route: deps.routes.choose('airtime', body.network),
  }
  const { accountId, personId } = purchaser
  const { reference } = body
  return { orderId: newId(), accountId, personId, kind: 'airtime', reference, fingerprint: fingerprintOf(body), request }
}

/**
 * Buys airtime at face value (contract, POST /airtime/purchase). A repeat with the same reference and body
 * returns the original order and charges nothing.
 *
 * @throws RefusalError as the contract's error table says; no money has moved, except perhaps with `outcome_unknown`
 */
export async function purchaseAirtime(
  deps: AirtimeDeps & { readonly intake: Intake },
  purchaser: Purchaser,
  body: AirtimePurchaseBody,
): Promise<{ order: Order; isReplay: boolean; balancePesewas: Pesewas }> {
  const refused = refuseReference(body.reference)
  if (refused) throw new RefusalError(refused)
  const amount = pesewasFromGhs(body.amount)
  if (amount === undefined) throw new RefusalError(refusals.invalidRequest(`amount ${amountProblem(body.amount)}.`))
  const outcome = await placeOrders(deps.intake, purchaser.accountId, [await makeAirtimeOrderItem(deps, purchaser, body, amount)])
  if ('refusal' in outcome) throw new RefusalError(outcome.refusal)
  const [placement] = outcome.placements
  if (!placement) throw new Error('a purchase was placed without an order')
  return { ...placement, balancePesewas: pesewas(outcome.balance) }
}
