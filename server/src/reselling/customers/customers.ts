import { sql } from 'kysely'
import { type Pesewas, pesewas } from '../../money/pesewas.ts'
import { readPhoneNumber } from '../../networks/read-phone-number.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { newId } from '../../platform/database/new-id.ts'
import { rowsOf } from '../../platform/database/rows-of.ts'
import { holds, type PersonalSource, scanTable } from '../../platform/forgetting/personal-source.ts'
import { RefusalError } from '../../platform/http/refusals.ts'
import { resellingRefusals } from '../reselling.refusals.ts'

export const customersMax = 5_000
/** The most numbers of one customer. */
export const customerNumbersMax = 10
const shownMax = 100
/** How many of an account's newest orders are searched for the last purchase of each customer. */
const ordersLookedAt = 1_000

/** A customer as the reseller writes it. */
export type CustomerNote = {
  readonly name: string
  readonly numbers: readonly string[]
  readonly note: string
  readonly isFavourite: boolean
}

/** The newest of the account's last orders for one of the customer's numbers. */
type LastOrder = {
  readonly orderId: string
  readonly product: string
  readonly network: string | null
  readonly variety: string | null
  readonly recipient: string
  readonly pricePesewas: Pesewas
  readonly at: Date
}

export type Customer = CustomerNote & { readonly customerId: string; readonly last: LastOrder | null }

/**
 * Reads a number as a person types it: a phone number in any way of writing, or a meter or smartcard.
 * @throws RefusalError 400 when the text is none of these
 */
export function readCustomerNumber(text: string): string {
  const number = readPhoneNumber(text) ?? text.replaceAll(/[\s-]/g, '').toUpperCase()
  if (!/^[A-Z]{0,3}\d{8,15}$/.test(number)) throw new RefusalError(resellingRefusals.badNumber(text.slice(0, 40)))
  return number
}

type CustomerRow = {
  id: string
  name: string
  note: string
  is_favourite: boolean
  numbers: string[]
  order_id: string | null
  kind: string | null
  network: string | null
  variety: string | null
  recipient: string | null
  price: number | null
  ordered_at: Date | null
}

const lastOrderOf = (row: CustomerRow): LastOrder | null =>
  row.order_id === null
    ? null
    : {
        orderId: row.order_id,
        product: row.kind ?? '',
        network: row.network,
        variety: row.variety,
        recipient: row.recipient ?? '',
        pricePesewas: pesewas(row.price ?? 0),
        at: row.ordered_at ?? new Date(0),
      }

const customerOf = (row: CustomerRow): Customer => ({
  customerId: row.id,
  name: row.name,
  note: row.note,
  isFavourite: row.is_favourite,
  numbers: row.numbers,
  last: lastOrderOf(row),
})

/**
 * Lists an account's customers: favourites first, then by the newest of the account's last `ordersLookedAt` orders, then by
 * name.
 * @param search part of a name, a note or a number; empty: all
 * @param limit the most that are listed
 */
export async function listCustomers(
  db: Db,
  accountId: string,
  { search = '', limit = shownMax }: { readonly search?: string | undefined; readonly limit?: number } = {},
): Promise<readonly Customer[]> {
  const text = search.trim().toLowerCase()
  const digits = readPhoneNumber(text) ?? text.replaceAll(/[\s-]/g, '')
  const { rows } = await sql<CustomerRow>`
    with newest as (
      select distinct on (number) regexp_replace(recipient, '^233(\\d{9})$', '0\\1') as number, id, kind, recipient, price,
        coalesce(details ->> 'network', details ->> 'biller') as network,
        coalesce(details ->> 'size', details ->> 'typeName') as variety, created_at
      from (select * from orders where account_id = ${accountId} order by id desc limit ${ordersLookedAt}) last
      where kind <> 'sms' and recipient <> ''
      order by number, id desc
    ), found as (
      select customers.*, array(
        select number from customer_numbers where customer_id = customers.id order by place
      ) as numbers
      from customers where account_id = ${accountId} and (${text} = '' or strpos(lower(name), ${text}) > 0
        or strpos(lower(note), ${text}) > 0
        or exists (select from customer_numbers where ${digits} <> '' and customer_id = customers.id
          and strpos(lower(number), ${digits}) > 0))
    )
    select found.id, name, note, is_favourite, numbers, bought.id as order_id, bought.kind, bought.network, bought.variety,
      bought.number as recipient, bought.price, bought.created_at as ordered_at
    from found left join lateral (
      select * from newest where newest.number = any(found.numbers) order by newest.id desc limit 1
    ) bought on true
    order by is_favourite desc, bought.id desc nulls last, lower(name), found.id
    limit ${limit}`.execute(db)
  return rows.map(customerOf)
}

type LatestNumberSale = LastOrder & { readonly name: string | null; readonly isFavourite: boolean }

/** How many of the newest orders Home searches for numbers to buy for again. */
const ordersForHome = 200

/**
 * Lists the numbers of the account's last `ordersForHome` orders, each with its newest order: favourite customers first.
 * @param kinds the products whose orders count
 */
export async function listLatestSales(
  db: Db,
  accountId: string,
  { kinds, limit }: { readonly kinds: readonly string[]; readonly limit: number },
): Promise<readonly LatestNumberSale[]> {
  const { rows } = await sql<CustomerRow>`
    select newest.*, name, coalesce(is_favourite, false) as is_favourite from (
      select distinct on (last.number) id as order_id, kind, price, created_at as ordered_at, last.number as recipient,
        coalesce(details ->> 'network', details ->> 'biller') as network,
        coalesce(details ->> 'size', details ->> 'typeName') as variety
      from (
        select *, regexp_replace(recipient, '^233(\\d{9})$', '0\\1') as number
        from orders where account_id = ${accountId} order by id desc limit ${ordersForHome}
      ) last
      where kind = any(${kinds}::text[]) and recipient_hash is null
      order by last.number, id desc
    ) newest
    left join customer_numbers on customer_numbers.account_id = ${accountId} and customer_numbers.number = newest.recipient
    left join customers on customers.id = customer_id
    order by is_favourite desc nulls last, order_id desc limit ${limit}`.execute(db)
  return rows.flatMap((row) => {
    const last = lastOrderOf(row)
    return last ? [{ ...last, name: row.name, isFavourite: row.is_favourite }] : []
  })
}

/** @throws RefusalError 404 when the account has no such customer */
export async function readCustomer(db: Db, accountId: string, customerId: string): Promise<CustomerNote> {
  const { rows } = await sql<CustomerRow>`
    select name, note, is_favourite, array(
      select number from customer_numbers where customer_id = customers.id order by place
    ) as numbers
    from customers where id = ${customerId} and account_id = ${accountId}`.execute(db)
  const [row] = rows
  if (!row) throw new RefusalError(resellingRefusals.customerNotFound)
  return { name: row.name, note: row.note, isFavourite: row.is_favourite, numbers: row.numbers }
}

async function writeNumbers(
  tx: Tx,
  accountId: string,
  { customerId, numbers }: { readonly customerId: string; readonly numbers: readonly string[] },
): Promise<void> {
  const unique = [...new Set(numbers.map(readCustomerNumber))]
  await sql`delete from customer_numbers where customer_id = ${customerId}`.execute(tx)
  if (unique.length === 0) return
  const { rows: taken } = await sql<{ number: string; name: string }>`
    select number, name from customer_numbers join customers on customers.id = customer_id
    where customer_numbers.account_id = ${accountId} and number = any(${unique}::text[]) order by number limit 1`.execute(tx)
  const [other] = taken
  if (other) throw new RefusalError(resellingRefusals.numberTaken(other.number, other.name))
  const rows = unique.map((number, place) => ({ number, place }))
  await sql`insert into customer_numbers ${rowsOf(rows, {
    account_id: ['uuid', () => accountId],
    number: ['text', ({ number }) => number],
    customer_id: ['uuid', () => customerId],
    place: ['smallint', ({ place }) => place],
  }).forInsert()}`.execute(tx)
}

/**
 * Lets one transaction at a time change an account's customers, for the checks of numbers and of the limit.
 * @returns how many customers the account has
 */
export async function lockCustomers(tx: Tx, accountId: string): Promise<number> {
  await sql`select from accounts where id = ${accountId} for no key update`.execute(tx)
  const { rows } = await sql<{ count: number }>`
    select count(*) from customers where account_id = ${accountId}`.execute(tx)
  return rows[0]?.count ?? 0
}

/**
 * Adds a customer, or replaces the data of one.
 * @param customerId undefined for a new one
 * @returns the customer's id
 * @throws RefusalError for a wrong number, a number of another customer, an unknown customer, or too many customers
 */
export function saveCustomer(
  db: Db,
  accountId: string,
  { customerId, name, numbers, note, isFavourite }: CustomerNote & { readonly customerId?: string },
): Promise<string> {
  const id = customerId ?? newId()
  return inTransaction(db, async (tx) => {
    const count = await lockCustomers(tx, accountId)
    const values = { name: name.trim(), note: note.trim(), is_favourite: isFavourite }
    if (customerId === undefined) {
      if (count >= customersMax) throw new RefusalError(resellingRefusals.tooManyCustomers)
      await tx
        .insertInto('customers')
        .values({ id, account_id: accountId, ...values })
        .execute()
    } else {
      const changed = tx.updateTable('customers').set(values).where('id', '=', id).where('account_id', '=', accountId)
      const { numUpdatedRows } = await changed.executeTakeFirst()
      if (numUpdatedRows === 0n) throw new RefusalError(resellingRefusals.customerNotFound)
    }
    await writeNumbers(tx, accountId, { customerId: id, numbers })
    return id
  })
}

/** Deletes a customer with its numbers. One that does not exist is no error. */
export async function deleteCustomer(db: Db, accountId: string, customerId: string): Promise<void> {
  await db.deleteFrom('customers').where('id', '=', customerId).where('account_id', '=', accountId).execute()
}

/** Finds a person among the customers of resellers. A customer is erased with all notes, because these are about one person. */
export const customersOfPerson: PersonalSource = {
  table: 'customers',
  title: 'Customers of resellers',
  find: ({ db }, person) =>
    scanTable(db, {
      table: 'customers',
      columns: sql`id, (select email from accounts where accounts.id = account_id) as account, name, note,
        array(select number from customer_numbers where customer_id = customers.id order by place) as numbers`,
      where: sql`id in (select customer_id from customer_numbers where number = any(${person.forms}::text[]))
        or ${holds(sql`name`, person)} or ${holds(sql`note`, person)}`,
    }),
  async erase(tx, rows) {
    const ids = rows.map(({ id }) => id)
    await sql`delete from customers where id = any(${ids}::uuid[])`.execute(tx)
    return ids
  },
}
