import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { type Pesewas, pesewas } from '../../money/pesewas.ts'
import type { OrderStatus } from '../../orders/order-life-cycle.ts'
import type { Db } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { RefusalError, refusals } from '../../platform/http/refusals.ts'
import { ownPriceOfOrder, ownRuleOfOrder } from '../prices/own-price.ts'

/** 128 random bits, so that no link can be guessed. */
const tokenBytes = 16

export const receiptPath = (token: string) => `/r/${token}`

/** An order as a sale to a customer. */
export type Sale = {
  /** Price that the reseller asked of its customer. Null: it had set none. */
  readonly ownPricePesewas: Pesewas | null
  readonly profitPesewas: Pesewas | null
  /** The working link; null: there is none. */
  readonly receipt: { readonly path: string; readonly showsNumber: boolean } | null
}

type SaleRow = { price: number; own_price: number | null; token: string | null; shows_number: boolean | null }

/** @throws RefusalError 404 when the account has no such order, or the order is an SMS campaign */
export async function readSale(db: Db, accountId: string, orderId: string): Promise<Sale> {
  const { rows } = await sql<SaleRow>`
    select orders.price, ${ownPriceOfOrder}::bigint as own_price, token, shows_number
    from orders ${ownRuleOfOrder}
    left join sale_receipts on order_id = orders.id and revoked_at is null
    where orders.id = ${orderId} and orders.account_id = ${accountId} and orders.kind <> 'sms'`.execute(db)
  const [row] = rows
  if (!row) throw new RefusalError(refusals.orderNotFound)
  return {
    ownPricePesewas: row.own_price === null ? null : pesewas(row.own_price),
    profitPesewas: row.own_price === null ? null : pesewas(row.own_price - row.price),
    receipt: row.token === null ? null : { path: receiptPath(row.token), showsNumber: row.shows_number === true },
  }
}

type ReceiptRequest = {
  readonly accountId: string
  readonly orderId: string
  readonly showsNumber: boolean
  readonly madeBy: string
}

/**
 * Returns the working link of an order's receipt, or makes one. If the working one differs in whether it shows the number, it
 * is revoked, and a new one replaces it.
 * @throws RefusalError 404 when the account has no such order, or the order is an SMS campaign
 */
export function makeReceipt(db: Db, { accountId, orderId, showsNumber, madeBy }: ReceiptRequest): Promise<Sale> {
  return inTransaction(db, async (tx) => {
    // Without this lock, the second of two concurrent requests would revoke the link of the first.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`receipt ${orderId}`}, 0))`.execute(tx)
    const sale = await readSale(tx, accountId, orderId)
    if (sale.receipt?.showsNumber === showsNumber) return sale
    await revokeReceipt(tx, accountId, orderId)
    const token = randomBytes(tokenBytes).toString('base64url')
    await tx
      .insertInto('sale_receipts')
      .values({ token, order_id: orderId, account_id: accountId, shows_number: showsNumber, made_by: madeBy, revoked_at: null })
      .execute()
    return readSale(tx, accountId, orderId)
  })
}

/** Ends the link of an order. One that does not exist is no error. */
export async function revokeReceipt(db: Db, accountId: string, orderId: string): Promise<void> {
  await db
    .updateTable('sale_receipts')
    .set({ revoked_at: sql`clock_timestamp()` })
    .where('order_id', '=', orderId)
    .where('account_id', '=', accountId)
    .where('revoked_at', 'is', null)
    .execute()
}

/** The receipt that a customer opens by its link. Anybody with the link can see it, so it has no cost, balance or customer's name. */
export type PublicReceipt = {
  readonly accountId: string
  readonly shopName: string
  readonly shopPhone: string | null
  readonly hasLogo: boolean
  readonly product: string
  readonly network: string | null
  readonly variety: string | null
  readonly quantity: number
  /** Masked, unless the reseller shows it. */
  readonly recipient: string
  readonly status: OrderStatus
  readonly ownPricePesewas: Pesewas | null
  readonly reference: string
  readonly placedAt: Date
}

type ReceiptRow = Omit<PublicReceipt, 'ownPricePesewas'> & { ownPrice: number | null }

/** @returns undefined when there is no such link, or it was revoked */
export async function findPublicReceipt(db: Db, token: string): Promise<PublicReceipt | undefined> {
  const { rows } = await sql<ReceiptRow>`
    select sale_receipts.account_id as "accountId", coalesce(shops.name, accounts.name) as "shopName",
      shops.phone as "shopPhone", logo_type is not null as "hasLogo", orders.kind as product,
      coalesce(details ->> 'network', details ->> 'biller') as network,
      coalesce(details ->> 'size', details ->> 'typeName') as variety, coalesce((details ->> 'quantity')::int, 1) as quantity,
      case when shows_number then recipient else masked_number(recipient) end as recipient,
      orders.status, ${ownPriceOfOrder}::bigint as "ownPrice", orders.reference, orders.created_at as "placedAt"
    from sale_receipts
    join orders on orders.id = order_id
    join accounts on accounts.id = sale_receipts.account_id
    left join shops on shops.account_id = sale_receipts.account_id
    ${ownRuleOfOrder}
    where token = ${token} and revoked_at is null`.execute(db)
  const [row] = rows
  if (!row) return undefined
  const { ownPrice, ...receipt } = row
  return { ...receipt, ownPricePesewas: ownPrice === null ? null : pesewas(ownPrice) }
}
