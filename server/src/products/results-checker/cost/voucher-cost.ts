import { sql } from 'kysely'
import type { CostKey, CostSubject, CostUnits } from '../../../orders/costs/cost-subject.ts'

/** Costs can be entered for only this many of the newest batches. */
const batchesMax = 500

/** The cost of a voucher: that of its batch if one was entered, else that of its type. */
export const voucherCost: CostSubject & { readonly units: CostUnits } = {
  product: 'results_checker',
  title: 'Results checker vouchers',
  unit: 'voucher',
  takesPercent: false,
  units: sql`
    select batch.id::text as key, sold.type_id::text as other_key, count(*) as units
    from vouchers as sold
    left join voucher_batches as batch on batch.type_id = sold.type_id and batch.imported_at = sold.imported_at
    where sold.order_id = ended.order_id group by batch.id, sold.type_id`,
  listKeys: async (db) => {
    const { rows } = await sql<CostKey>`
      select id::text as key, name || ', where its batch says nothing' as title, null::timestamptz as since, name as type, 1 as rank,
        now() as at from voucher_types
      union all
      (select batch.id::text, concat_ws(' ', type.name, 'imported', to_char(batch.imported_at, 'YYYY-MM-DD'), batch.file_name),
        batch.imported_at, type.name, 2, batch.imported_at
      from voucher_batches as batch join voucher_types as type on type.id = batch.type_id
      order by batch.imported_at desc limit ${sql.lit(batchesMax)})
      order by type, rank, at desc`.execute(db)
    return rows.map(({ key, title, since }) => ({ key, title, since }))
  },
}
