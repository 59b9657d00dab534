import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import { readId } from '../../platform/database/read-id.ts'
import type { ProductFacts } from '../product-facts.ts'
import { selectNamedOrders } from '../queries/orders-named.ts'

/**
 * Finds an account's orders by a reference of any name space, or by an id, each through its own index. An order of another
 * account is not found, as if it did not exist (decision A12).
 */
export async function findAccountOrders(
  db: Db,
  products: readonly ProductFacts[],
  { accountId, name }: { readonly accountId: string; readonly name: string },
): Promise<string[]> {
  const id = readId(name)
  const statements = [
    sql`select order_id as id from order_references where reference = ${name} and account_id = ${accountId}`,
    sql`select order_id as id from account_references where reference = ${name} and account_id = ${accountId}`,
    ...selectNamedOrders(products, name).map((select) => sql`${select} and account_id = ${accountId}`),
    ...(id === undefined ? [] : [sql`select id from orders where id = ${id} and account_id = ${accountId}`]),
  ]
  const { rows } = await sql<{ id: string }>`${sql.join(statements, sql` union `)}`.execute(db)
  return rows.map((row) => row.id)
}

/**
 * Finds the ids of the account's orders by references in the shared name space or in the account's own. References without an
 * order are left out.
 */
export async function findOrdersByReference(db: Db, accountId: string, references: readonly string[]): Promise<string[]> {
  if (references.length === 0) return []
  const { rows } = await sql<{ id: string }>`
    select order_id as id from order_references where reference = any(${references}) and account_id = ${accountId}
    union select order_id from account_references where reference = any(${references}) and account_id = ${accountId}`.execute(db)
  return rows.map((row) => row.id)
}
