import type { Purchaser } from '../../accounts/caller.ts'
import { type Pesewas, pesewas } from '../../money/pesewas.ts'
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
import { type DataRequest, findOfferedRoute } from './data.kind.ts'
import { dataRefusals } from './data.refusals.ts'
import type { DataPurchaseBody } from './data.schemas.ts'
import { dataEnabled, dataSwitchedOff, whitelistGate } from './data.settings.ts'
import { type PackageCatalogue, packageKey } from './package-catalogue.ts'
import {
  type LearntRegistrations,
  learnRegistrations,
  nothingToLearn,
  type RegistrationDeps,
} from './registration/learn-registrations.ts'
import { needsRegistration } from './registration/needs-registration.ts'

export type DataDeps = {
  readonly settings: Settings
  readonly packages: () => Promise<PackageCatalogue>
  readonly numberPlan: () => Promise<NumberPlan>
  readonly routes: Pick<Routes, 'rank'>
  readonly registrations: RegistrationDeps
}

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

/**
 * Equal requests have equal fingerprints: four fields, with numbers compared by value (decisions R2; R6: a batch with orders
 * placed before).
 */
function fingerprintOf(body: DataPurchaseBody): string {
  return hashRequest(['data', body.network, body.volume_gb, body.recipient, body.reference])
}

export type PreparedOrders = { readonly items: readonly OrderItem<DataRequest>[]; readonly registrations: LearntRegistrations }

/** An order before its recipient's registration is known. */
type Draft = Omit<DataRequest, 'registration' | 'whenNotRegistered'>

/**
 * True when the registration servers must be asked: the network needs a registration, and no other check of cached data
 * refuses the order.
 */
function isWorthAsking({ network, refusalIfNew, package: wanted, routes }: Draft): boolean {
  if (!needsRegistration(network) || refusalIfNew !== undefined || !wanted?.isAvailable) return false
  return findOfferedRoute(routes, wanted) !== undefined
}

/**
 * Prepares orders of data bundles for the intake: finds their packages and, for MTN, learns whether their recipients are
 * registered, which may take seconds. Refuses nothing, because a replay is answered even if the switch, the prefixes, the
 * catalogue or the gate would refuse it now (decision A4: the order of checks).
 * @param whenGated effect of the whitelist gate on an order that it stops
 * @param isAsking false for a check without a purchase: no server is asked, and no number counts as unregistered
 */
export async function makeDataOrderItems(
  deps: DataDeps,
  purchaser: Purchaser,
  bodies: readonly DataPurchaseBody[],
  whenGated: 'refuse' | 'skip',
  isAsking = true,
): Promise<PreparedOrders> {
  const [isEnabled, check, isGated, catalogue, numberPlan] = await Promise.all([
    deps.settings.read(dataEnabled),
    deps.settings.read(prefixCheck),
    deps.settings.read(whitelistGate),
    deps.packages(),
    deps.numberPlan(),
  ])

  function refusalIfNew({ recipient, network }: DataPurchaseBody): Refusal | undefined {
    if (!isEnabled) return dataSwitchedOff
    if (check === 'enforce' && !belongsToNetwork(numberPlan, recipient, network)) return refusals.prefixMismatch(network)
    return undefined
  }

  const drafts = bodies.map((body) => ({
    body,
    draft: {
      network: body.network,
      volumeGb: body.volume_gb,
      recipient: body.recipient,
      catalogueVersion: catalogue.version,
      package: catalogue.byNetworkAndVolume.get(packageKey(body.network, body.volume_gb)),
      refusalIfNew: refusalIfNew(body),
      routes: deps.routes.rank('data', body.network),
    },
  }))
  const asked = drafts.filter(({ draft }) => isWorthAsking(draft)).map(({ body }) => body)
  const registrations = isAsking
    ? await learnRegistrations(
        deps.registrations,
        asked.map(({ recipient, reference }) => ({ number: recipient, reference })),
      )
    : nothingToLearn
  const items = drafts.map(({ body, draft }) => ({
    orderId: newId(),
    accountId: purchaser.accountId,
    personId: purchaser.personId,
    kind: 'data',
    reference: body.reference,
    fingerprint: fingerprintOf(body),
    request: {
      ...draft,
      registration: needsRegistration(body.network) ? registrations.of(body.recipient) : ('registered' as const),
      whenNotRegistered: isGated ? whenGated : ('hold' as const),
    },
  }))
  return { items, registrations }
}
