import { sql } from 'kysely'
import type { OrderName } from '../../money/statement/statement.ts'
import type { Db } from '../../platform/database/database.ts'
import { amongIds } from '../../platform/partitions/partitions.ts'
import { type ProductFacts, productOf } from '../product-facts.ts'

type Row = { id: string; reference: string; kind: string; recipient: string; variety: string | null; size: string | null }

/** Finds the references of orders, and describes each in a few words: `Data bundles MTN 1GB 0241234567`. */
export async function nameOrders(
  db: Db,
  products: readonly ProductFacts[],
  orderIds: readonly string[],
): Promise<Map<string, OrderName>> {
  if (orderIds.length === 0) return new Map()
  const { rows } = await sql<Row>`
    select id, reference, kind, recipient, details ->> 'size' as size,
      coalesce(details ->> 'network', details ->> 'biller', details ->> 'typeName') as variety
    from orders where ${amongIds('id', orderIds)}`.execute(db)
  return new Map(
    rows.map(({ id, reference, kind, recipient, variety, size }) => {
      const words = [productOf(products, kind).title, variety, size, recipient].filter((word) => word).join(' ')
      return [id, { reference, words }]
    }),
  )
}
