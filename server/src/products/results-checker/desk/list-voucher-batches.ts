import { sql } from 'kysely'
import type { Db } from '../../../platform/database/database.ts'

export type VoucherBatch = {
  readonly id: string
  readonly imported_at: Date
  readonly imported_by: string | null
  readonly file_name: string | null
  readonly imported: number
  readonly skipped: number
  readonly left: number
  readonly withdrawn: number
}

/** Lists the imports of a type, newest first. `after` is the last one on the page before. */
export async function listVoucherBatches(
  db: Db,
  typeId: string,
  { after = null, limit }: { readonly after?: string | null | undefined; readonly limit: number },
): Promise<VoucherBatch[]> {
  const { rows } = await sql<VoucherBatch>`
    select id, imported_at, imported_by, file_name, imported, skipped,
      (select count(*) from vouchers
        where vouchers.type_id = batch.type_id and vouchers.imported_at = batch.imported_at and order_id is null) as "left",
      (select count(*) from withdrawn_vouchers
        where withdrawn_vouchers.type_id = batch.type_id and withdrawn_vouchers.imported_at = batch.imported_at) as withdrawn
    from voucher_batches as batch
    where type_id = ${typeId}
      and (${after}::uuid is null or imported_at < (select imported_at from voucher_batches where id = ${after}::uuid))
    order by imported_at desc limit ${limit}`.execute(db)
  return rows
}
