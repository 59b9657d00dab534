import { sql } from 'kysely'
import { formatGhs, type Pesewas, pesewas } from '../../money/pesewas.ts'
import type { Db, TableRow, Tx } from '../../platform/database/database.ts'
import { onConstraint } from '../../platform/database/database-errors.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { newId } from '../../platform/database/new-id.ts'
import { appendOperatorLog } from '../../platform/operator-log/append-operator-log.ts'
import { OperatorRequestError } from '../../platform/operator-request-error.ts'
import type { VoucherTypeRow } from './list-voucher-stock.ts'

/** A type as the operator wants it. Absent fields stay; a new type needs all three prices. */
export type VoucherTypeChange = {
  readonly name: string
  readonly rename?: string
  readonly priceCustomer?: Pesewas
  readonly priceAgent?: Pesewas
  readonly priceDealer?: Pesewas
  readonly isActive?: boolean
  /** Fewer vouchers than this raise an alarm. */
  readonly lowStockCount?: number
  readonly reason?: string
}

/** A change that cannot be made. The message is for the operator. */
export class VoucherTypeError extends OperatorRequestError {
  override readonly name = 'VoucherTypeError'
}

function complete(change: VoucherTypeChange, known: VoucherTypeRow | undefined) {
  if (!known && change.rename !== undefined) throw new VoucherTypeError(`There is no voucher type ${change.name} to be renamed.`)
  const price_customer = change.priceCustomer ?? known?.price_customer
  const price_agent = change.priceAgent ?? known?.price_agent
  const price_dealer = change.priceDealer ?? known?.price_dealer
  if (price_customer === undefined || price_agent === undefined || price_dealer === undefined) {
    throw new VoucherTypeError(`${change.name} is a new voucher type: it needs a price for customers, agents and dealers.`)
  }
  return {
    name: change.rename ?? known?.name ?? change.name,
    price_customer,
    price_agent,
    price_dealer,
    is_active: change.isActive ?? known?.is_active ?? true,
    low_stock_count: change.lowStockCount ?? known?.low_stock_count ?? 10,
  }
}

/** The columns of a type that the operator sets, for the operator's log. Prices are texts in GHS. */
function settable({ name, price_customer, price_agent, price_dealer, is_active, low_stock_count }: VoucherTypeRow) {
  const priced = (price: number) => formatGhs(pesewas(price))
  const prices = { price_customer: priced(price_customer), price_agent: priced(price_agent), price_dealer: priced(price_dealer) }
  return { name, ...prices, is_active, low_stock_count }
}

async function write(tx: Tx, change: VoucherTypeChange, actor: string): Promise<VoucherTypeRow> {
  const known = await tx
    .selectFrom('voucher_types')
    .selectAll()
    .where(sql<boolean>`lower(name) = lower(${change.name})`)
    .forNoKeyUpdate()
    .executeTakeFirst()
  const values = complete(change, known)
  const row = known
    ? await tx.updateTable('voucher_types').set(values).where('id', '=', known.id).returningAll().executeTakeFirstOrThrow()
    : await tx
        .insertInto('voucher_types')
        .values({ id: newId(), ...values })
        .returningAll()
        .executeTakeFirstOrThrow()
  const before = known ? settable(known) : null
  const { reason } = change
  const details = { before, after: settable(row), ...(reason !== undefined && { reason }) }
  await appendOperatorLog(tx, { actor, action: 'voucher-type set', subject: row.name, details })
  return row
}

/**
 * Adds or changes a voucher type. Names are compared without case.
 * @throws VoucherTypeError when a new type lacks a price, when there is none to be renamed, or when the new name is used
 *   already
 */
export function writeVoucherType(db: Db, change: VoucherTypeChange, actor: string): Promise<VoucherTypeRow> {
  const refuse = (cause: unknown) =>
    new VoucherTypeError(`There is a voucher type ${change.rename ?? change.name} already.`, { cause })
  return inTransaction(db, (tx) => write(tx, change, actor)).catch(onConstraint('voucher_types_one_per_name', refuse))
}

/**
 * Takes every type with vouchers in stock off sale, because the database may have lost sales of some of these vouchers. A
 * person withdraws those from the stock, and puts the type on sale again.
 * @returns how many types are now off sale, and how many vouchers they have in stock
 */
export async function takeVouchersOffSale(
  tx: Tx,
  actor: string,
): Promise<{ voucher_types_off_sale: number; vouchers_set_aside: number }> {
  const { rows } = await sql<TableRow<'voucher_types', 'name' | 'available_count'>>`
    select name, available_count from voucher_types where is_active and available_count > 0 order by id for no key update`.execute(
    tx,
  )
  const reason = 'history went back: some of its vouchers may have been sold'
  for (const { name } of rows) await write(tx, { name, isActive: false, reason }, actor)
  return {
    voucher_types_off_sale: rows.length,
    vouchers_set_aside: rows.reduce((sum, row) => sum + row.available_count, 0),
  }
}
