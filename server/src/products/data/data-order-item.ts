import { createHash } from 'node:crypto'
import type { Caller } from '../../accounts/caller.ts'
import { prefixCheck } from '../../networks/networks.settings.ts'
import { belongsToNetwork, type NumberPlan } from '../../networks/number-plan.ts'
import type { OrderItem } from '../../orders/order-kind.ts'
import { newId } from '../../platform/database/new-id.ts'
import { type Refusal, refusals } from '../../platform/http/refusals.ts'
import type { Settings } from '../../platform/settings/settings.ts'
import type { Routes } from '../../suppliers/ports.ts'
import type { DataRequest } from './data.kind.ts'
import type { DataPurchaseBody } from './data.schemas.ts'
import { dataEnabled } from './data.settings.ts'
import { type PackageCatalogue, packageKey } from './package-catalogue.ts'

/** What every purchase of data bundles needs to know of the platform. */
export type DataDeps = {
  readonly settings: Settings
  readonly packages: () => Promise<PackageCatalogue>
  readonly numberPlan: () => Promise<NumberPlan>
  readonly routes: Pick<Routes, 'choose'>
}

/** The same request, however it was written: four fields, numbers by value (decisions R2, R6). */
function fingerprintOf(body: DataPurchaseBody): string {
  const canonical = JSON.stringify(['data', body.network, body.volume_gb, body.recipient, body.reference])
  return createHash('sha256').update(canonical).digest('hex')
}

/**
 * Prepares orders of data bundles for the door. Nothing is refused here: a request whose reference is
 * a replay is answered whatever the switch, the prefixes or the catalogue say by now (decisions A4).
 */
export async function makeDataOrderItems(
  deps: DataDeps,
  caller: Caller,
  bodies: readonly DataPurchaseBody[],
): Promise<OrderItem<DataRequest>[]> {
  const [isEnabled, check, catalogue, numberPlan] = await Promise.all([
    deps.settings.read(dataEnabled),
    deps.settings.read(prefixCheck),
    deps.packages(),
    deps.numberPlan(),
  ])

  function refusalIfNew({ recipient, network }: DataPurchaseBody): Refusal | undefined {
    if (!isEnabled) return refusals.featureDisabled('The sale of data bundles')
    if (check === 'enforce' && !belongsToNetwork(numberPlan, recipient, network)) return refusals.prefixMismatch(network)
    return undefined
  }

  return bodies.map((body) => ({
    orderId: newId(),
    accountId: caller.accountId,
    kind: 'data',
    reference: body.reference,
    fingerprint: fingerprintOf(body),
    request: {
      network: body.network,
      volumeGb: body.volume_gb,
      recipient: body.recipient,
      catalogueVersion: catalogue.version,
      package: catalogue.byNetworkAndVolume.get(packageKey(body.network, body.volume_gb)),
      refusalIfNew: refusalIfNew(body),
      route: deps.routes.choose('data', body.network),
    },
  }))
}
