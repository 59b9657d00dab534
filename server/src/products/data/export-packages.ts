import { sql } from 'kysely'
import { type Pesewas, pesewas } from '../../money/pesewas.ts'
import type { Db } from '../../platform/database/database.ts'
import { writeCsv } from '../../platform/write-csv.ts'

/** GHS with two decimals, as `importPackages` reads it. */
function amount(value: Pesewas): string {
  return `${Math.floor(value / 100)}.${String(value % 100).padStart(2, '0')}`
}

/** Writes the whole price list as the CSV that `importPackages` takes back unchanged. */
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
  const header = ['network', 'volume_gb', 'price_customer', 'price_agent', 'price_dealer', 'is_available', 'stock']
  const rows = packages.map((row) => [
    row.network,
    String(row.volumeGb),
    ...[row.price_customer, row.price_agent, row.price_dealer].map((price) => amount(pesewas(price))),
    String(row.is_available),
    row.stock === null ? '' : String(row.stock),
    ...suppliers.flatMap((supplier) => {
      const offer = offerOf.get(`${row.id}/${supplier}`)
      return offer ? [amount(pesewas(offer.cost)), offer.code] : ['', '']
    }),
  ])
  const columns = [...header, ...suppliers.flatMap((supplier) => [`cost_${supplier}`, `code_${supplier}`])]
  return { text: writeCsv([columns, ...rows]), count: packages.length }
}
