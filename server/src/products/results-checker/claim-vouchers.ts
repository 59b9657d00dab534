import { sql } from 'kysely'
import type { Tx } from '../../platform/database/database.ts'
import { rowsOf } from '../../platform/database/rows-of.ts'
import type { SealedVoucher } from './seal-voucher.ts'

export type VoucherClaim = { readonly orderId: string; readonly typeId: string; readonly quantity: number }

/** An order's share of a type's stock, counted from the oldest voucher. */
type Share = { readonly orderId: string; readonly typeId: string; readonly firstNo: number; readonly lastNo: number }

function shareOut(claims: readonly VoucherClaim[]): { shares: Share[]; countOf: Map<string, number> } {
  const countOf = new Map<string, number>()
  const shares = claims.map(({ orderId, typeId, quantity }) => {
    const firstNo = (countOf.get(typeId) ?? 0) + 1
    const lastNo = firstNo + quantity - 1
    countOf.set(typeId, lastNo)
    return { orderId, typeId, firstNo, lastNo }
  })
  return { shares, countOf }
}

/**
 * Gives each order the oldest vouchers in stock and reduces the stock. This transaction must have locked the types, so that no
 * other order gets the same vouchers, and the types must have enough vouchers. Fails when the stock differs from its count: no
 * order ever gets too few vouchers.
 * @returns the vouchers that were sold now
 */
export async function claimVouchers(tx: Tx, claims: readonly VoucherClaim[]): Promise<SealedVoucher[]> {
  const { shares, countOf } = shareOut(claims)
  const perType = rowsOf([...countOf], { type_id: ['uuid', ([typeId]) => typeId], quantity: ['bigint', ([, count]) => count] })
  const { rows: claimed } = await sql<SealedVoucher>`
    with wanted as (
      select * from ${perType.as('wanted')}
    ), locked as (
      select voucher.id, wanted.type_id
      from wanted, lateral (
        select id from vouchers
        where vouchers.type_id = wanted.type_id and order_id is null
        order by id limit wanted.quantity for no key update
      ) as voucher
    ), numbered as (
      select id, type_id, row_number() over (partition by type_id order by id) as stock_no from locked
    )
    update vouchers set order_id = share.order_id, sold_at = clock_timestamp()
    from numbered
    join ${rowsOf(shares, {
      order_id: ['uuid', (share) => share.orderId],
      type_id: ['uuid', (share) => share.typeId],
      first_no: ['bigint', (share) => share.firstNo],
      last_no: ['bigint', (share) => share.lastNo],
    }).as('share')}
      on share.type_id = numbered.type_id and numbered.stock_no between share.first_no and share.last_no
    where vouchers.id = numbered.id and vouchers.order_id is null
    returning vouchers.id, vouchers.pin, vouchers.serial_number`.execute(tx)
  const needed = [...countOf.values()].reduce((sum, count) => sum + count, 0)
  if (claimed.length !== needed)
    throw new Error(`the stock of vouchers is not what its count says: ${claimed.length} of ${needed} found`)
  await sql`
    update voucher_types set available_count = available_count - sold.quantity
    from ${perType.as('sold')}
    where voucher_types.id = sold.type_id`.execute(tx)
  return claimed
}
