import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import type { SupplierRegistry } from '../ports.ts'
import { readSupplierFloat } from '../routes/read-supplier-float.ts'

/** A float that was not read for this long is read again. */
const dueMinutes = 30

/**
 * Reads the floats of enabled suppliers that were not read for `dueMinutes`, so that there is a read near the beginning of each
 * day. A supplier that does not report its float is asked again the next time.
 * @returns the suppliers that were asked
 */
export async function readDueFloats(deps: {
  readonly db: Db
  readonly registry: Pick<SupplierRegistry, 'find'>
}): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from suppliers
    where is_enabled and exists (select from routes where routes.supplier = suppliers.name)
      and not exists (select from supplier_float_reads where supplier = suppliers.name
        and read_at > clock_timestamp() - make_interval(mins => ${dueMinutes}))
    order by name`.execute(deps.db)
  const due = rows.flatMap(({ name }) => deps.registry.find(name) ?? [])
  for (const supplier of due) await readSupplierFloat(deps.db, supplier)
  return due.map(({ name }) => name)
}
