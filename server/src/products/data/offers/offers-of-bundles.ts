import { sql } from 'kysely'
import type { CostExpectation } from '../../../money/expected-cost.ts'
import { pesewas } from '../../../money/pesewas.ts'
import { readManyDetails } from '../../../orders/create-details-reader.ts'
import type { Db } from '../../../platform/database/database.ts'
import { readDataDetails, titleOfBundle } from '../data.kind.ts'

/** The expected cost of a bundle: that of the supplier's present offer. Without an offer: none. */
export const dataCostExpectation: CostExpectation = {
  kind: 'data',
  async expect(db, supplier, orders) {
    const details = readManyDetails(orders, readDataDetails)
    if (details.size === 0) return new Map()
    const offers = await selectOffers(db, details.values().map(titleOfBundle)).where('supplier', '=', supplier).execute()
    const costs = new Map(offers.map(({ title, cost }) => [title, pesewas(cost)]))
    return new Map(
      [...details].map(([{ orderId }, bundle]) => [
        orderId,
        { costPesewas: costs.get(titleOfBundle(bundle)) ?? null, commissionPesewas: null },
      ]),
    )
  },
}

/** The same title as from `titleOfBundle`. The cast writes 1.5, as JavaScript does, not 1.500. */
const titleInSql = sql<string>`packages.network || ' ' || packages.volume_gb::float8 || 'GB'`

/** Selects the suppliers' offers of the packages with these titles, closed ones included. */
export function selectOffers(db: Db, titles: Iterable<string>) {
  return selectAllOffers(db).where(titleInSql, 'in', [...new Set(titles)])
}

export function selectAllOffers(db: Db) {
  return db
    .selectFrom('package_offers')
    .innerJoin('packages', 'packages.id', 'package_offers.package_id')
    .select([titleInSql.as('title'), 'package_id', 'supplier', 'code', 'cost'])
}
