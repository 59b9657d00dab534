import { type RawBuilder, sql } from 'kysely'
import { formatGhs, type Pesewas, pesewas } from '../../money/pesewas.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { onConstraint } from '../../platform/database/database-errors.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { newId } from '../../platform/database/new-id.ts'
import { appendOperatorLog } from '../../platform/operator-log/append-operator-log.ts'
import { OperatorRequestError } from '../../platform/operator-request-error.ts'
import type { VoucherTypeRow } from './list-voucher-stock.ts'

/** A type as the operator wants it. Absent fields stay; a new type needs all three prices. */
export type VoucherTypeChange = VoucherTypeFields & { readonly name: string }

type VoucherTypeFields = {
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

/** Finds and locks a type, so that `before` in the log is what the change replaces. */
function lockType(tx: Tx, condition: RawBuilder<boolean>): Promise<VoucherTypeRow | undefined> {
  return tx.selectFrom('voucher_types').selectAll().where(condition).forNoKeyUpdate().executeTakeFirst()
}

const isNamed = (name: string) => sql<boolean>`lower(name) = lower(${name})`

async function write(
  tx: Tx,
  known: VoucherTypeRow | undefined,
  change: VoucherTypeChange,
  actor: string,
): Promise<VoucherTypeRow> {
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

const onTakenName = (name: string) =>
  onConstraint(
    'voucher_types_one_per_name',
    (cause) => new VoucherTypeError(`There is a voucher type ${name} already.`, { cause }),
  )

/**
 * Adds a voucher type, or changes the one of this name. Names are compared without case.
 * @throws VoucherTypeError when a new type lacks a price, when there is none to be renamed, or when the new name is used
 *   already
 */
export function writeVoucherType(db: Db, change: VoucherTypeChange, actor: string): Promise<VoucherTypeRow> {
  return inTransaction(db, async (tx) => write(tx, await lockType(tx, isNamed(change.name)), change, actor)).catch(
    onTakenName(change.rename ?? change.name),
  )
}

/**
 * Adds a voucher type.
 * @throws VoucherTypeError when it lacks a price, or when there is one of this name, in any case
 */
export function makeVoucherType(db: Db, made: Omit<VoucherTypeChange, 'rename'>, actor: string): Promise<VoucherTypeRow> {
  return inTransaction(db, (tx) => write(tx, undefined, made, actor)).catch(onTakenName(made.name))
}

/**
 * Changes the type of this id.
 * @returns undefined when there is none
 * @throws VoucherTypeError when the new name is used already
 */
export function changeVoucherType(
  db: Db,
  id: string,
  change: VoucherTypeFields,
  actor: string,
): Promise<VoucherTypeRow | undefined> {
  return inTransaction(db, async (tx) => {
    const known = await lockType(tx, sql`id = ${id}`)
    return known && write(tx, known, { ...change, name: known.name }, actor)
  }).catch(onTakenName(change.rename ?? id))
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
  const rows = await tx
    .selectFrom('voucher_types')
    .selectAll()
    .where(sql<boolean>`is_active and available_count > 0`)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  const reason = 'history went back: some of its vouchers may have been sold'
  for (const type of rows) await write(tx, type, { name: type.name, isActive: false, reason }, actor)
  return {
    voucher_types_off_sale: rows.length,
    vouchers_set_aside: rows.reduce((sum, row) => sum + row.available_count, 0),
  }
}
