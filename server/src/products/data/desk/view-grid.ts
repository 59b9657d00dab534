import type { Role } from '../../../accounts/caller.ts'
import { ghs, type Pesewas } from '../../../money/pesewas.ts'
import type { Db } from '../../../platform/database/database.ts'
import { mapInPieces } from '../../../platform/in-pieces.ts'
import type { Route, Routes } from '../../../suppliers/route-ports.ts'
import { readCodedSuppliers } from '../catalogue/find-faulty-codes.ts'
import { findLosses } from '../catalogue/find-losses.ts'
import { sizeOf } from '../data.kind.ts'
import { type DataNetwork, dataNetworks } from '../data.schemas.ts'
import { readNextSchedules } from '../schedule/list-price-sets.ts'
import { readPackages, type StoredPackage } from '../stored-packages.ts'

type GridDeps = { readonly db: Db; readonly routes: Pick<Routes, 'rank'> }

type GhsByRole = Record<Role, number>

/** Finds the offer that delivers a package now: the open offer of the best-ranked supplier that has one. */
function deliveringOffer(stored: StoredPackage, ranked: readonly Route[]) {
  const route = ranked.find(({ supplier }) => {
    const offer = stored.offers.get(supplier)
    return offer !== undefined && offer.closedAt === null
  })
  const cost = route && stored.offers.get(route.supplier)?.costPesewas
  return route && cost !== undefined ? { supplier: route.supplier, cost } : undefined
}

function marginsOf(stored: StoredPackage, cost: Pesewas): GhsByRole {
  const margin = (price: number) => ghs((price - cost) as Pesewas)
  return { customer: margin(stored.priceCustomer), agent: margin(stored.priceAgent), dealer: margin(stored.priceDealer) }
}

/** Our margin on a package per role, at the supplier that delivers now. Null while none does. */
export function viewMargins(routes: Pick<Routes, 'rank'>, stored: StoredPackage): GhsByRole | null {
  const delivering = deliveringOffer(stored, routes.rank('data', stored.network))
  return delivering ? marginsOf(stored, delivering.cost) : null
}

const amount = (pesewas: number) => ghs(pesewas as Pesewas)

function viewOffers(stored: StoredPackage) {
  const losing = new Set(findLosses(stored).map(({ supplier }) => supplier))
  return [...stored.offers]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([supplier, { code, costPesewas, closedAt, closedBecause }]) => ({
      supplier,
      code,
      cost: ghs(costPesewas),
      closed_at: closedAt?.toISOString() ?? null,
      closed_because: closedBecause,
      is_loss: losing.has(supplier),
    }))
}

const networkOrder = new Map<string, number>(dataNetworks.map((network, index) => [network, index]))

/** The whole price list by network and size, for the desk. */
export async function viewPackageGrid({ db, routes }: GridDeps) {
  const [packages, schedules, suppliers] = await Promise.all([readPackages(db), readNextSchedules(db), readCodedSuppliers(db)])
  const inOrder = [...packages.values()].toSorted(
    (one, other) =>
      (networkOrder.get(one.network) ?? 0) - (networkOrder.get(other.network) ?? 0) || one.volumeGb - other.volumeGb,
  )
  const rankOf = new Map(dataNetworks.map((network) => [network as string, routes.rank('data', network)]))
  return {
    packages: await mapInPieces(inOrder, (stored) => {
      const delivering = deliveringOffer(stored, rankOf.get(stored.network) ?? [])
      const schedule = schedules.get(stored.id)
      return {
        package_id: stored.id,
        network: stored.network as DataNetwork,
        volume_gb: stored.volumeGb,
        size: sizeOf(stored.volumeGb),
        prices: { customer: amount(stored.priceCustomer), agent: amount(stored.priceAgent), dealer: amount(stored.priceDealer) },
        margins: delivering ? marginsOf(stored, delivering.cost) : null,
        cost: delivering ? ghs(delivering.cost) : null,
        supplier: delivering?.supplier ?? null,
        is_available: stored.isAvailable,
        stock: stored.stock,
        offers: viewOffers(stored),
        scheduled: schedule?.at.toISOString() ?? null,
        scheduled_set_id: schedule?.setId ?? null,
      }
    }),
    networks: [...dataNetworks],
    suppliers: suppliers.map(({ name }) => name),
  }
}
