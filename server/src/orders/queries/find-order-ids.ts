import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import { readId } from '../../platform/database/read-id.ts'
import type { ProductFacts } from '../product-facts.ts'
import { attemptsNamed, selectNamedOrders } from './orders-named.ts'

/**
 * At most this many orders are found by a reference of an account, and by a reference of a supplier. Few orders share such a
 * reference.
 */
const namedMax = 1_000

/**
 * Finds orders by any of their references or ids: the reseller's, ours at the supplier, the supplier's own. Our references have
 * no index: see `attemptsNamed`.
 */
export async function findOrderIds(db: Db, products: readonly ProductFacts[], name: string): Promise<string[]> {
  const id = readId(name)
  const newest = sql`order by id desc limit ${namedMax}`
  const statements = [
    sql`select order_id as id from order_references where reference = ${name}`,
    sql`select order_id as id from account_references where reference = ${name} ${newest}`,
    ...selectNamedOrders(products, name),
    ...(id === undefined ? [] : [sql`select id from orders where id = ${id}`]),
    sql`select order_id as id from (${attemptsNamed([name])}) as attempt`,
    sql`select order_id as id from attempt_answers where supplier_reference = ${name} limit ${namedMax}`,
  ]
  const { rows } = await sql<{ id: string }>`${sql.join(
    statements.map((statement) => sql`(${statement})`),
    sql` union `,
  )}`.execute(db)
  return rows.map((row) => row.id)
}
