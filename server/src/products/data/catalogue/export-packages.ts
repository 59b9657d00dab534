import { sql } from 'kysely'
import { ghs, pesewas } from '../../../money/pesewas.ts'
import type { Db } from '../../../platform/database/database.ts'
import { mapInPieces } from '../../../platform/in-pieces.ts'
import { writeLongCsv } from '../../../platform/write-csv.ts'

const packageColumns = ['network', 'volume_gb', 'price_customer', 'price_agent', 'price_dealer', 'is_available', 'stock'] as const

/**
 * Writes the whole price list as CSV for `importPackages`. An import of this file changes nothing, except that it opens closed
 * offers.
 */
export async function exportPackages(db: Db): Promise<{ text: string; count: number }> {
  const packages = await db
    .selectFrom('packages')
    .leftJoin('networks', (join) => join.onRef('networks.name', '=', 'packages.network').on('networks.product', '=', 'data'))
    .selectAll('packages')
    .select(sql<number>`volume_gb::float8`.as('volumeGb'))
    .orderBy('networks.position')
    .orderBy('packages.volume_gb')
    .execute()
  const offers = await db.selectFrom('package_offers').selectAll().orderBy('supplier').execute()
  const suppliers = [...new Set(offers.map((offer) => offer.supplier))]
  const offerOf = new Map(offers.map((offer) => [`${offer.package_id}/${offer.supplier}`, offer]))
  const inGhs = (amount: number) => ghs(pesewas(amount))
  const rows = await mapInPieces(packages, (row) => ({
    network: row.network,
    volume_gb: row.volumeGb,
    price_customer: inGhs(row.price_customer),
    price_agent: inGhs(row.price_agent),
    price_dealer: inGhs(row.price_dealer),
    is_available: row.is_available,
    stock: row.stock,
    ...Object.fromEntries(
      suppliers.flatMap((supplier) => {
        const offer = offerOf.get(`${row.id}/${supplier}`)
        return offer
          ? [
              [`cost_${supplier}`, inGhs(offer.cost)],
              [`code_${supplier}`, offer.code],
            ]
          : []
      }),
    ),
  }))
  const offerColumns = suppliers.flatMap((supplier) => [`cost_${supplier}`, `code_${supplier}`] as const)
  return { text: await writeLongCsv({ columns: [...packageColumns, ...offerColumns], rows }), count: packages.length }
}
