import { sql } from 'kysely'
import type { Db } from '../../../platform/database/database.ts'
import { readId } from '../../../platform/database/read-id.ts'
import { SecretUnreadableError } from '../../../platform/secrets/seal-secret.ts'
import type { SecretsKeys } from '../../../platform/secrets/secrets-keys.ts'
import { hashVoucher, type SealedVoucher, unsealVoucher } from '../seal-voucher.ts'

/** A found voucher, without its PIN. */
export type FoundVoucher = {
  readonly id: string
  readonly typeName: string
  /** The last characters of the serial number. Null: the voucher cannot be unsealed. */
  readonly serialEnd: string | null
  readonly state: 'in_stock' | 'sold' | 'withdrawn'
  readonly importedAt: Date
  readonly soldAt: Date | null
  readonly orderId: string | null
}

type Row = SealedVoucher & {
  type_name: string
  order_id: string | null
  sold_at: Date | null
  imported_at: Date
  is_withdrawn: boolean
}

const serialEndLength = 4
/**
 * The end of a serial number, to distinguish two vouchers of an order. Shows fewer characters of a short number, so that
 * nobody learns the whole.
 */
export function endOfSerialNumber(serialNumber: string): string {
  const shown = Math.min(serialEndLength, Math.floor(serialNumber.length / 2))
  return serialNumber.slice(serialNumber.length - shown)
}

function readEnd(keys: SecretsKeys, row: SealedVoucher): string | null {
  try {
    return endOfSerialNumber(unsealVoucher(keys, row).serialNumber)
  } catch (error) {
    if (error instanceof SecretUnreadableError) return null
    throw error
  }
}

function stateOf({ order_id, is_withdrawn }: Row): FoundVoucher['state'] {
  if (is_withdrawn) return 'withdrawn'
  return order_id === null ? 'in_stock' : 'sold'
}

/**
 * Finds vouchers by their serial number, by their id in alarms, or by the reference or id of the order that bought them.
 * Every search uses an index.
 */
export async function findVouchersAtDesk(db: Db, keys: SecretsKeys, text: string, limit: number): Promise<FoundVoucher[]> {
  const wanted = text.trim()
  const id = readId(wanted) ?? null
  const hashes = sql`(select decode(hash, 'hex') from unnest(${hashVoucher(keys, { pin: '', serialNumber: wanted }).serialNumbers}::text[]) as hash)`
  const { rows } = await sql<Row>`
    with of_orders as (
      select id from vouchers where order_id in (
        select order_id from order_references where reference = ${wanted} and kind = 'results_checker'
        union all select ${id}::uuid)
      order by id limit ${limit}
    ), found as (
      select id, false as is_withdrawn from of_orders
      union
      select id, false from vouchers where id = ${id}::uuid
      union
      select id, true from withdrawn_vouchers where id = ${id}::uuid
      union
      select named.id, named.is_withdrawn from voucher_types cross join lateral (
        select id, false as is_withdrawn from vouchers
        where type_id = voucher_types.id and serial_number_hash = any(array${hashes})
        union all
        select id, true from withdrawn_vouchers where type_id = voucher_types.id and serial_number_hash = any(array${hashes})
      ) as named
    )
    select voucher.*, voucher_types.name as type_name
    from found join lateral (
      select id, type_id, pin, serial_number, order_id, sold_at, imported_at, false as is_withdrawn
      from vouchers where id = found.id and not found.is_withdrawn
      union all
      select id, type_id, pin, serial_number, null, null, imported_at, true
      from withdrawn_vouchers where id = found.id and found.is_withdrawn
    ) as voucher on true
    join voucher_types on voucher_types.id = voucher.type_id
    order by voucher.id limit ${limit}`.execute(db)
  return rows.map((row) => ({
    id: row.id,
    typeName: row.type_name,
    serialEnd: readEnd(keys, row),
    state: stateOf(row),
    importedAt: row.imported_at,
    soldAt: row.sold_at,
    orderId: row.order_id,
  }))
}
