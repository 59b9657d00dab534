import { type Selectable, sql } from 'kysely'
import type { Db, Tables, Tx } from '../../platform/database/database.ts'

export type VoucherTypeRow = Selectable<Tables['voucher_types']>

export type VoucherStock = VoucherTypeRow & { readonly soldCount: number; readonly withdrawnCount: number }

/** Lists all voucher types by name, with how many vouchers are in stock, sold and withdrawn. */
export async function listVoucherStock(db: Db): Promise<VoucherStock[]> {
  const types = await db.selectFrom('voucher_types').selectAll().orderBy('name').execute()
  const { rows } = await sql<{ type_id: string; sold: number }>`
    select type_id, count(*) as sold from vouchers where order_id is not null group by type_id`.execute(db)
  const sold = new Map(rows.map((row) => [row.type_id, row.sold]))
  const { rows: goneRows } = await sql<{ type_id: string; gone: number }>`
    select type_id, count(*) as gone from withdrawn_vouchers group by type_id`.execute(db)
  const gone = new Map(goneRows.map((row) => [row.type_id, row.gone]))
  return types.map((type) => ({ ...type, soldCount: sold.get(type.id) ?? 0, withdrawnCount: gone.get(type.id) ?? 0 }))
}

/** Finds a type by its name in any case, or by its id. */
export function findVoucherType(db: Db | Tx, nameOrId: string): Promise<VoucherTypeRow | undefined> {
  return db
    .selectFrom('voucher_types')
    .selectAll()
    .where(sql<boolean>`lower(name) = lower(${nameOrId}) or id::text = lower(${nameOrId})`)
    .executeTakeFirst()
}
