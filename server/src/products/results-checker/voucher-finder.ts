import { sql } from 'kysely'
import type { Finder, FinderDeps, Match, SearchText } from '../../platform/finding/finder.ts'
import { showMoment } from '../../platform/texts-for-people.ts'
import { hashVoucher } from './seal-voucher.ts'

type VoucherRow = { id: string; type_name: string; order_id: string | null; sold_at: Date | null; withdrawn_by: string | null }

function describe({ id, type_name, order_id, sold_at, withdrawn_by }: VoucherRow): Match {
  const match = { type: 'voucher', id }
  if (order_id !== null) {
    const text = `A voucher of ${type_name}, sold at ${sold_at ? showMoment(sold_at) : ''} with order ${order_id}.`
    return { ...match, text, next: `makola order show ${order_id}`, path: `/orders/${order_id}` }
  }
  if (withdrawn_by !== null) {
    const text = `A voucher of ${type_name} that two people took out of the stock (proposal ${withdrawn_by}).`
    return { ...match, text, next: 'makola approvals list --all', path: `/approvals/${withdrawn_by}` }
  }
  return {
    ...match,
    text: `A voucher of ${type_name} in stock: nobody has bought it.`,
    next: 'makola vouchers count',
    path: '/vouchers',
  }
}

/** Finds a serial number by its keyed hash: nothing is unsealed, and neither PIN nor serial number is shown. */
async function findVouchers({ db, secretsKeys }: FinderDeps, { text, id }: SearchText, limit: number): Promise<Match[]> {
  const hashes = sql`(select decode(hash, 'hex') from unnest(${hashVoucher(secretsKeys, { pin: '', serialNumber: text }).serialNumbers}::text[]) as hash)`
  const { rows } = await sql<VoucherRow>`
    select voucher.id, voucher_types.name as type_name, voucher.order_id, voucher.sold_at, voucher.withdrawn_by
    from voucher_types
    cross join lateral (
      select id, order_id, sold_at, null::uuid as withdrawn_by from vouchers
      where type_id = voucher_types.id and serial_number_hash = any(array${hashes})
      union all
      select id, null, null, approval_id from withdrawn_vouchers
      where type_id = voucher_types.id and serial_number_hash = any(array${hashes})
    ) as voucher
    union
    select vouchers.id, voucher_types.name, order_id, sold_at, null::uuid
    from vouchers join voucher_types on voucher_types.id = vouchers.type_id where vouchers.id = ${id ?? null}::uuid
    union
    select gone.id, voucher_types.name, null, null, approval_id
    from withdrawn_vouchers as gone join voucher_types on voucher_types.id = gone.type_id where gone.id = ${id ?? null}::uuid
    limit ${limit}`.execute(db)
  return rows.map(describe)
}

/** Finds vouchers by their serial number, or by their id in alarms. */
export const voucherFinder: Finder = { finds: 'vouchers', find: findVouchers }
