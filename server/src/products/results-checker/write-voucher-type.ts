import { sql } from 'kysely'
import type { Pesewas } from '../../money/pesewas.ts'
import type { Db } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { newId } from '../../platform/database/new-id.ts'
import { appendOperatorLog } from '../../platform/operator-log/append-operator-log.ts'
import type { VoucherTypeRow } from './list-voucher-stock.ts'

/** A type as the operator wants it. What is left out stays as it is; a new type needs all three prices. */
export type VoucherTypeChange = {
  readonly name: string
  /** The new name. */
  readonly rename?: string
  readonly priceCustomer?: Pesewas
  readonly priceAgent?: Pesewas
  readonly priceDealer?: Pesewas
  readonly isActive?: boolean
  /** With fewer than this many left the operator is told. */
  readonly lowStockCount?: number
}

/** A change that cannot be made; the message is for the person who asked for it. */
export class VoucherTypeError extends Error {
  override readonly name = 'VoucherTypeError'
}

/** Makes a voucher type or changes it. Names are the same whatever their case. @throws VoucherTypeError */
export function writeVoucherType(db: Db, change: VoucherTypeChange, actor: string): Promise<VoucherTypeRow> {
  return inTransaction(db, async (tx) => {
    const known = await tx
      .selectFrom('voucher_types')
      .selectAll()
      .where(sql<boolean>`lower(name) = lower(${change.name})`)
      .forNoKeyUpdate()
      .executeTakeFirst()
    const values = {
      name: change.rename ?? known?.name ?? change.name,
      price_customer: change.priceCustomer ?? known?.price_customer,
      price_agent: change.priceAgent ?? known?.price_agent,
      price_dealer: change.priceDealer ?? known?.price_dealer,
      is_active: change.isActive ?? known?.is_active ?? true,
      low_stock_count: change.lowStockCount ?? known?.low_stock_count ?? 10,
    }
    const { price_customer, price_agent, price_dealer } = values
    if (price_customer === undefined || price_agent === undefined || price_dealer === undefined) {
      throw new VoucherTypeError(`${change.name} is a new voucher type: it needs a price for customers, agents and dealers.`)
    }
    const complete = { ...values, price_customer, price_agent, price_dealer }
    const row = known
      ? await tx.updateTable('voucher_types').set(complete).where('id', '=', known.id).returningAll().executeTakeFirstOrThrow()
      : await tx
          .insertInto('voucher_types')
          .values({ id: newId(), ...complete })
          .returningAll()
          .executeTakeFirstOrThrow()
    await appendOperatorLog(tx, { actor, action: 'voucher-type set', subject: row.name, details: complete })
    return row
  })
}
