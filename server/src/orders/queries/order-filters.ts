import { type RawBuilder, sql } from 'kysely'
import { amongIds } from '../../platform/partitions/partitions.ts'
import { isEnded, type OrderStatus } from '../order-life-cycle.ts'
import { isStuck } from '../schedule/stuck-condition.ts'
import { allOf, type IdBounds, type OrderTimes } from './order-id-bounds.ts'

/** One recipient (a number, meter or e-mail), in all forms in which orders may hold it. */
export type RecipientForms = {
  readonly recipients: readonly string[]
  /** Its keyed hash, by which orders are found whose recipient was forgotten. Undefined: none was forgotten yet. */
  readonly recipientHash?: Buffer | undefined
}

/** All given conditions must hold. */
export type OrderQuery = Partial<RecipientForms> &
  OrderTimes & {
    readonly ids?: readonly string[]
    readonly accountId?: string
    readonly product?: string
    /** A network, or a biller. */
    readonly network?: string
    /** A package as reports name it: `MTN 5GB`, the type of a voucher, or a product and its network. */
    readonly package?: string
    /** The role whose prices the order has; `unknown` for orders without one. */
    readonly role?: string
    /** The name of a supplier that got the order in any attempt. */
    readonly supplier?: string
    /** The id of the person who placed the order in the dashboard. */
    readonly person?: string
    readonly status?: OrderStatus
    readonly isHeldOnly?: boolean
    /** Only `pending` and `processing` orders of these products. */
    readonly openOf?: readonly string[]
    /** Only orders whose end a supplier contradicted afterwards. */
    readonly isContradictedOnly?: boolean
    /** The `next` of the page before: the id of its last order. */
    readonly after?: string
    readonly limit: number
  }

/** One filter of a query, in the two forms in which it is used. */
export type OrderFilter = {
  /**
   * Makes a statement that finds the first ids of the orders that fit, through an index that has them in order; some may
   * come twice.
   */
  readonly lead: (within: IdBounds, firstOnes: FirstOnes) => RawBuilder<unknown>
  /** True when the statement may also find orders that do not fit. Then `condition` is checked too. */
  readonly findsOthers?: true
  /**
   * True when one of its values may fit most orders and another very few. A plan that is kept for all values could read all
   * orders to find the few, so PostgreSQL plans each search anew.
   */
  readonly isUneven?: true
  /** The condition on `orders` joined with `open_orders`, for orders which another filter found. */
  readonly condition: RawBuilder<boolean>
}

/** The sort and the limit of what a filter finds: by id, or by a `column` in which all have one value and then by id. */
export type FirstOnes = (column?: string) => RawBuilder<unknown>

/** The network of an order, or its biller, which is the network in its routes' names. The index has exactly this expression. */
const orderNetwork = sql<string>`coalesce(orders.details ->> 'network', orders.details ->> 'biller', '')`

const orderPackage = sql<string>`
  case coalesce(orders.details ->> 'size', orders.details ->> 'typeName', '') when ''
    then concat_ws(' ', orders.kind, nullif(${orderNetwork}, ''))
    else concat_ws(' ', nullif(${orderNetwork}, ''), coalesce(orders.details ->> 'size', orders.details ->> 'typeName')) end`

/** Joins several statements. Each gives only its first ids, because the first ids of the whole are among these. */
function firstOfEach(statements: readonly RawBuilder<unknown>[], firstOnes: FirstOnes): RawBuilder<unknown> {
  if (statements.length === 0) return sql`select id from orders where false`
  const each = statements.map((statement) => sql`(${statement} ${firstOnes()})`)
  return sql`select id from (${sql.join(each, sql` union all `)}) as fitting ${firstOnes()}`
}

/**
 * The first rows with one value in a column, through the index that begins with this column. The sort names the column too, so
 * that no other index has this order. Otherwise a plan that PostgreSQL keeps for all values could read all orders by age to
 * find a value that few of them have.
 */
const firstOfOne = (
  rows: RawBuilder<unknown>,
  column: string,
  value: string,
  within: RawBuilder<boolean>,
  firstOnes: FirstOnes,
) => sql`${rows} where ${sql.ref(column)} = any(${[value]}) and ${within} ${firstOnes(column)}`

function ofIds(ids: readonly string[]): OrderFilter {
  return {
    condition: amongIds('orders.id', ids),
    lead: (within, firstOnes) => sql`select id from orders where ${amongIds('id', ids)} and ${within('id')} ${firstOnes()}`,
  }
}

/** Conditions that each find the orders to one form of a recipient, through an index of its own. */
export function conditionsOfRecipient({ recipients, recipientHash }: RecipientForms): RawBuilder<boolean>[] {
  return [
    ...recipients.map((recipient) => sql<boolean>`orders.recipient = ${recipient}`),
    ...(recipientHash ? [sql<boolean>`orders.recipient_hash = ${recipientHash}`] : []),
  ]
}

function ofRecipient(forms: RecipientForms): OrderFilter {
  const conditions = conditionsOfRecipient(forms)
  return {
    condition: sql<boolean>`(${sql.join(conditions, sql` or `)})`,
    lead: (within, firstOnes) =>
      firstOfEach(
        conditions.map((condition) => sql`select id from orders where ${condition} and ${within('id')}`),
        firstOnes,
      ),
  }
}

const leadOpen: OrderFilter['lead'] = (within, firstOnes) =>
  sql`select order_id as id from open_orders where ${within('order_id')} ${firstOnes()}`

const ofHeld: OrderFilter = {
  condition: sql<boolean>`open_orders.hold_reason is not null`,
  // Each of the two statements has an index that holds no other orders, so a long queue of orders that only wait is not read.
  lead: (within, firstOnes) =>
    firstOfEach(
      [sql`hold_reason = 'not_registered'`, sql`hold_reason is not null and hold_reason <> 'not_registered'`].map(
        (condition) => sql`select order_id as id from open_orders where ${condition} and ${within('order_id')}`,
      ),
      firstOnes,
    ),
}

const ofContradicted: OrderFilter = {
  condition: sql<boolean>`exists (select from contradictions where contradictions.order_id = orders.id)`,
  lead: (within, firstOnes) => sql`select order_id as id from contradictions where ${within('order_id')} ${firstOnes()}`,
}

const ofOpen = (kinds: readonly string[]): OrderFilter => ({
  condition: sql<boolean>`orders.status in ('pending', 'processing') and orders.kind = any(${kinds}::text[])`,
  lead: leadOpen,
  findsOthers: true,
})

function ofStatus(status: OrderStatus): OrderFilter | undefined {
  const condition = sql<boolean>`orders.status = ${status}`
  // Most orders are completed, so this filter narrows nothing, and any other filter is a better start.
  if (status === 'completed') return undefined
  if (!isEnded(status)) return { condition, lead: leadOpen, findsOthers: true }
  // A refunded order also has a move to `failed`, so it is left out there.
  const isLast = (within: IdBounds) =>
    status === 'failed'
      ? sql<boolean>`not exists (select from order_events as refund
          where refund.to_status = 'refunded' and refund.order_id = order_events.order_id and ${within('refund.order_id')})`
      : sql<boolean>`true`
  return {
    condition,
    // The status is in the text of the statement and is no parameter: only then can PostgreSQL use the index of these
    // moves.
    lead: (within, firstOnes) => sql`
      select order_id as id from order_events where to_status = ${sql.lit(status)} and ${within('order_id')} and ${isLast(within)} ${firstOnes()}`,
  }
}

function ofAccount(accountId: string): OrderFilter {
  return {
    condition: sql<boolean>`orders.account_id = ${accountId}`,
    lead: (within, firstOnes) => firstOfOne(sql`select id from orders`, 'account_id', accountId, within('id'), firstOnes),
  }
}

function ofSupplier(supplier: string): OrderFilter {
  return {
    // The attempts are looked up order by order, and at most one attempt of each is read.
    condition: sql<boolean>`(select true from attempts where attempts.order_id = orders.id and supplier = ${supplier} limit 1)`,
    lead: (within, firstOnes) =>
      firstOfOne(sql`select order_id as id from attempts`, 'supplier', supplier, within('order_id'), firstOnes),
  }
}

function ofPerson(personId: string): OrderFilter {
  return {
    condition: sql<boolean>`exists (select from orders_of_persons as placed
      where placed.order_id = orders.id and placed.person_id = ${personId})`,
    lead: (within, firstOnes) =>
      firstOfOne(sql`select order_id as id from orders_of_persons`, 'person_id', personId, within('order_id'), firstOnes),
  }
}

/** A pair of product and network that has orders. `network` is '' for a product without networks. */
export type Market = { readonly kind: string; readonly network: string }

/**
 * Lists the markets that have orders, by jumping from one to the next in the index: as many steps as markets, however
 * many orders there are.
 */
export const listMarkets = sql<Market>`
  with recursive market as (
    (select kind, ${orderNetwork} as network from orders order by kind, ${orderNetwork} limit 1)
    union all
    select next.kind, next.network
    from market cross join lateral (
      select orders.kind, ${orderNetwork} as network from orders
      where (orders.kind, ${orderNetwork}) > (market.kind, market.network)
      order by orders.kind, ${orderNetwork} limit 1
    ) as next
  )
  select kind, network from market`

function ofMarkets({ product, network }: OrderQuery, markets: readonly Market[]): OrderFilter {
  const wanted = markets.filter(
    (market) => (product === undefined || market.kind === product) && (network === undefined || market.network === network),
  )
  const condition = allOf([
    ...(product === undefined ? [] : [sql<boolean>`orders.kind = ${product}`]),
    ...(network === undefined ? [] : [sql<boolean>`${orderNetwork} = ${network}`]),
  ])
  return {
    isUneven: true,
    condition,
    lead: (within, firstOnes) =>
      firstOfEach(
        wanted.map(
          (market) =>
            sql`select id from orders where kind = ${market.kind} and ${orderNetwork} = ${market.network} and ${within('id')}`,
        ),
        firstOnes,
      ),
  }
}

/** Divides a query into filters that have an index, and conditions that can only check orders which a filter found. */
export function readOrderFilters(
  query: OrderQuery,
  markets: readonly Market[],
): { filters: OrderFilter[]; conditions: RawBuilder<boolean>[] } {
  const { ids, recipients, recipientHash, accountId, product, network, supplier, status, from, to, before } = query
  const byStatus = status === undefined ? undefined : ofStatus(status)
  const filters = [
    ids && ofIds(ids),
    recipients && ofRecipient({ recipients, recipientHash }),
    query.isStuckOnly ? ({ condition: isStuck, lead: leadOpen, findsOthers: true } as const) : undefined,
    query.isHeldOnly ? ofHeld : undefined,
    query.openOf && ofOpen(query.openOf),
    query.isContradictedOnly ? ofContradicted : undefined,
    byStatus,
    query.person === undefined ? undefined : ofPerson(query.person),
    accountId === undefined ? undefined : ofAccount(accountId),
    supplier === undefined ? undefined : ofSupplier(supplier),
    product === undefined && network === undefined ? undefined : ofMarkets(query, markets),
  ]
  const conditions = [
    ...(status !== undefined && !byStatus ? [sql<boolean>`orders.status = ${status}`] : []),
    ...(query.package === undefined ? [] : [sql<boolean>`${orderPackage} = ${query.package}`]),
    ...(query.role === undefined ? [] : [sql<boolean>`coalesce(orders.role, 'unknown') = ${query.role}`]),
    ...(from ? [sql<boolean>`orders.created_at >= ${from}`] : []),
    ...(to ? [sql<boolean>`orders.created_at < ${new Date(to.getTime() + 1)}`] : []),
    ...(before ? [sql<boolean>`orders.created_at < ${before}`] : []),
  ]
  return { filters: filters.filter((filter) => filter !== undefined), conditions }
}
