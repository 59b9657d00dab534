import { sql } from 'kysely'
import { formatAmount } from '../../money/amount.ts'
import { type Finder, type FinderDeps, type Match, quoteForShell, type SearchText } from '../../platform/finding/finder.ts'
import { findNumberHash } from '../../platform/forgetting/number-hash.ts'
import { amongIds } from '../../platform/partitions/partitions.ts'
import { showMoment } from '../../platform/texts-for-people.ts'
import { amountOf } from '../order.ts'
import type { ProductFacts } from '../product-facts.ts'
import { conditionsOfRecipient } from './order-filters.ts'
import { attemptsNamed, selectNamedOrders } from './orders-named.ts'
import { describePutAway, findPutAway } from './read-order-history.ts'

/** An order that was found. The reference is the reseller's, so orders of several accounts may have the same one. */
type OrderRow = {
  id: string
  reference: string
  account: string
  kind: string
  network: string | null
  status: string
  price: number
  recipient: string
  created_at: Date
}

async function readOrderMatches(
  { db }: FinderDeps,
  products: readonly ProductFacts[],
  ids: readonly string[],
  limit: number,
): Promise<Match[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<OrderRow>`
    select orders.id, reference, coalesce(account.email, orders.account_id::text) as account, kind,
      coalesce(details ->> 'network', details ->> 'biller') as network, status, price, recipient, created_at
    from orders
    left join lateral (select email from accounts where accounts.id = orders.account_id limit 1) as account on true
    where ${amongIds('orders.id', ids)}
    order by orders.id desc limit ${limit}`.execute(db)
  const putAway = await Promise.all(rows.map(({ id }) => findPutAway(db, id)))
  return rows.map((row, index) => {
    const history = putAway[index]
    const what = [row.kind, row.network ?? ''].join(' ').trim()
    const price = formatAmount(amountOf(products, row))
    return {
      type: 'order',
      id: row.id,
      text: `Order ${row.reference} of ${row.account}: ${what} to ${row.recipient} for ${price}, ${row.status}, placed ${showMoment(row.created_at)}${history ? `; its history is ${describePutAway(history)}` : ''}.`,
      next: `makola order show ${row.id}`,
      path: `/orders/${row.id}`,
    }
  })
}

/** Finds orders by their recipient, by any of their references, or by id, each through its own index. */
async function findIds(
  { db, secretsKeys }: FinderDeps,
  products: readonly ProductFacts[],
  wanted: SearchText,
  limit: number,
): Promise<string[]> {
  const { text, id, phoneNumber, recipients } = wanted
  const numberHash = await findNumberHash(db, () => Promise.resolve(secretsKeys))
  const recipientHash = numberHash?.hashNumber(phoneNumber ?? text)
  const newest = sql`order by id desc limit ${limit}`
  const statements = [
    ...conditionsOfRecipient({ recipients, recipientHash }).map((to) => sql`select id from orders where ${to} ${newest}`),
    sql`select order_id as id from order_references where reference = ${text}`,
    sql`select order_id as id from account_references where reference = ${text} ${newest}`,
    ...selectNamedOrders(products, text),
    ...(id === undefined ? [] : [sql`select id from orders where id = ${id}`]),
  ]
  const { rows } = await sql<{ id: string }>`${sql.join(
    statements.map((statement) => sql`(${statement})`),
    sql` union `,
  )}`.execute(db)
  return rows.map((row) => row.id)
}

/** Finds orders by reference, id, or recipient: a phone number in any way of writing it, a meter, a smartcard, an e-mail. */
export function orderFinder(products: readonly ProductFacts[]): Finder {
  return {
    finds: 'orders',
    // More orders than are shown nearly always have the same recipient.
    listAll: ({ text }) => `makola order list --recipient ${quoteForShell(text)}`,
    find: async (deps, wanted, limit) => readOrderMatches(deps, products, await findIds(deps, products, wanted, limit), limit),
  }
}

type AttemptRow = {
  order_id: string
  attempt_no: number
  supplier: string
  outgoing_reference: string
  supplier_reference: string | null
  outcome: string | null
}

async function findAttempts({ db }: FinderDeps, { text }: SearchText, limit: number): Promise<Match[]> {
  const { rows } = await sql<AttemptRow>`
    with named as (
      (select order_id, attempt_no from (${attemptsNamed([text])}) as attempt)
      union
      (select order_id, attempt_no from attempt_answers where supplier_reference = ${text} limit ${limit})
    )
    select attempt.* from named
    cross join lateral (
      select order_id, attempt_no, supplier, outgoing_reference, supplier_reference, outcome
      from attempts where order_id = named.order_id and attempt_no = named.attempt_no limit 1
    ) as attempt
    order by order_id desc, attempt_no desc limit ${limit}`.execute(db)
  return rows.map((row) => {
    const theirs = row.supplier_reference === null ? '' : `, theirs ${row.supplier_reference}`
    return {
      type: 'attempt',
      id: row.outgoing_reference,
      text: `Attempt ${row.attempt_no} of order ${row.order_id} with ${row.supplier}, our reference ${row.outgoing_reference}${theirs}: ${row.outcome ?? 'no answer yet'}.`,
      next: `makola order show ${row.order_id}`,
      path: `/orders/${row.order_id}`,
    }
  })
}

/** Finds attempts by the reference at their supplier: ours, as in a statement, or the supplier's own. */
export const attemptFinder: Finder = { finds: 'attempts', find: findAttempts }
