import type { Installation } from '../installation.ts'
import type { AnsweredOrder, CallRecord, Journal, Try } from '../journal.ts'
import { listRequestedOrders, type RequestedOrder } from '../list-requested-orders.ts'

type StoredOrder = {
  id: string
  account_id: string
  kind: string
  reference: string
  /** The client's name for the order: for a bill, the account's own reference. */
  name: string
  recipient: string
  biller: string | null
  created_at: Date
  price: number
  debits: number
  debited: number
}

async function readOrders(
  installation: Installation,
  accountIds: readonly string[],
  prefix: string,
  acknowledgedIds: readonly string[],
): Promise<StoredOrder[]> {
  return installation.query<StoredOrder>(
    `select orders.id, orders.account_id, orders.kind, orders.reference, names.name, recipient,
       orders.details ->> 'biller' as biller, orders.created_at, price::float8 as price,
       count(transfers.cause_id)::int as debits, coalesce(sum(transfers.amount), 0)::float8 as debited
     from orders
     left join account_references on account_references.order_id = orders.id
     cross join lateral (select coalesce(account_references.reference, orders.reference) as name) as names
     left join transfers on transfers.cause_id = orders.id and transfers.kind = 'purchase'
     where orders.account_id = any($1::uuid[]) and (starts_with(names.name, $2) or orders.id = any($3::uuid[]))
     group by orders.id, names.name`,
    [accountIds, prefix, acknowledgedIds],
  )
}

/** Name space of a reference: a bill's belongs to its account, all others are shared. */
const scopeOf = (kind: string, accountId: string, name: string) =>
  JSON.stringify(kind === 'utilities' ? [kind, accountId, name] : [name])

/** Returns whether a call requested this order. Another call with the same reference may have requested something else. */
function isRequested(requested: RequestedOrder, record: CallRecord, stored: StoredOrder): boolean {
  return (
    stored.account_id === record.call.accountId &&
    stored.kind === requested.kind &&
    stored.name === requested.name &&
    stored.recipient === requested.recipient &&
    (requested.pricePesewas === undefined || stored.price === requested.pricePesewas)
  )
}

function breachOfAccepted(record: CallRecord, answered: AnsweredOrder, stored: StoredOrder | undefined): string | undefined {
  const what = `acknowledged order ${answered.name}`
  if (!stored) return `${what} is gone: there is no ${answered.orderId}`
  if (stored.reference !== answered.reference) return `${what} is found as ${stored.reference}, not ${answered.reference}`
  if (stored.name !== answered.name) return `${what} is named ${stored.name}`
  if (stored.account_id !== record.call.accountId) return `${what} belongs to another account`
  if (stored.price !== (answered.pricePesewas ?? stored.price)) {
    return `${what} costs ${stored.price}, not ${answered.pricePesewas}`
  }
  if (stored.debits !== 1 || stored.debited !== stored.price) return `${what} has ${stored.debits} debits of ${stored.debited}`
  // Whoever repeats a bill's reference gets the first order back, even with another body. So the answer may name an order with
  // other fields than this call's.
  const isOwn =
    record.call.path === '/utilities/pay' ||
    listRequestedOrders(record.call).some((requested) => isRequested(requested, record, stored))
  return isOwn ? undefined : `${what} is not what was asked for: ${JSON.stringify(stored)}`
}

type Stored = {
  readonly byId: ReadonlyMap<string, StoredOrder>
  /** The stored orders, by the name that `scopeOf` gives. */
  readonly byName: ReadonlyMap<string, readonly StoredOrder[]>
}

function breachesOf(record: CallRecord, { byId, byName }: Stored): string[] {
  const requestedOrders = listRequestedOrders(record.call)
  if (record.end === 'accepted') {
    const isAnswered = ({ name }: RequestedOrder) => name === undefined || record.orders.some((order) => order.name === name)
    return [
      ...record.orders.flatMap((order) => breachOfAccepted(record, order, byId.get(order.orderId)) ?? []),
      ...requestedOrders
        .filter((requested) => !isAnswered(requested))
        .map(({ name }) => `${name} was accepted without being named in the answer`),
    ]
  }
  if (record.end === undefined) return [`no definite outcome: ${JSON.stringify(record.outcomes)} for ${requestedOrders[0]?.name}`]
  const sameNamed = ({ kind, name = '' }: RequestedOrder) => byName.get(scopeOf(kind, record.call.accountId, name)) ?? []
  return requestedOrders
    .filter((requested) => sameNamed(requested).some((stored) => isRequested(requested, record, stored)))
    .map(({ name }) => `${name} was refused (${record.outcomes.at(-1)}) and yet exists`)
}

/** After a try without a clear answer, its order may still be written for this long. */
const unclearMilliseconds = 30_000

/** Returns whether this try may have written an order at that time. The times of a try are whole milliseconds. */
function mayComeFrom({ sentAt, endedAt = Number.POSITIVE_INFINITY, answer }: Try, writtenAt: number): boolean {
  if (answer === 'denied') return false
  return sentAt <= writtenAt && writtenAt <= endedAt + (answer === 'unclear' ? unclearMilliseconds : 1)
}

/** Finds orders that can only come from tries whose answer denied a charge. */
function findDeniedOrders(orders: readonly StoredOrder[], triesOf: (order: StoredOrder) => readonly Try[] | undefined): string[] {
  return orders.flatMap((order) => {
    const tries = triesOf(order)
    if (!tries || tries.some((each) => mayComeFrom(each, +order.created_at))) return []
    return [
      `${order.name} was written at ${+order.created_at} by a try that was told that nothing was charged: ${JSON.stringify(tries)}`,
    ]
  })
}

/** Contract, Utilities: within this time the same biller, account and amount is not paid twice, whatever the references. */
const duplicateWindowMilliseconds = 30_000

function findRepeatedBills(orders: readonly StoredOrder[]): string[] {
  const bills = orders.filter(({ kind }) => kind === 'utilities').toSorted((one, other) => +one.created_at - +other.created_at)
  const same = Map.groupBy(bills, ({ account_id: accountId, biller, recipient, price }) =>
    JSON.stringify([accountId, biller, recipient, price]),
  )
  const isTooSoon = (bill: StoredOrder, earlier: StoredOrder | undefined) =>
    earlier !== undefined && +bill.created_at - +earlier.created_at < duplicateWindowMilliseconds
  return [...same.values()].flatMap((paid) =>
    paid
      .filter((bill, no) => isTooSoon(bill, paid[no - 1]))
      .map(({ name, recipient }) => `${name} paid the bill of ${recipient} again within 30 s`),
  )
}

/**
 * Compares the database with the client's journal:
 *
 * - everything acknowledged exists with the same id, price and one debit
 * - everything refused left nothing, and no try that was answered "not charged" became an order
 * - no reference has two orders, and no bill was paid twice within 30 s
 * - no order exists that nobody requested
 *
 * @param prefix beginning of this journal's references, if the accounts have other orders too
 * @returns the breaches, in words
 */
export async function findJournalBreaches(installation: Installation, journal: Journal, prefix = ''): Promise<string[]> {
  const records = journal.records()
  const accountIds = [...new Set(records.map(({ call }) => call.accountId))]
  const acknowledged = new Set(records.flatMap((record) => record.orders.map(({ orderId }) => orderId)))
  const orders = await readOrders(installation, accountIds, prefix, [...acknowledged])
  const byId = new Map(orders.map((order) => [order.id, order]))
  const byName = Map.groupBy(orders, ({ kind, account_id: accountId, name }) => scopeOf(kind, accountId, name))
  const asked = new Map<string, Try[]>()
  for (const { call, tries } of records) {
    for (const { kind, name = '' } of listRequestedOrders(call)) {
      const scope = scopeOf(kind, call.accountId, name)
      asked.set(scope, [...(asked.get(scope) ?? []), ...tries])
    }
  }
  return [
    ...records.flatMap((record) => breachesOf(record, { byId, byName })),
    ...findRepeatedBills(orders),
    ...findDeniedOrders(orders, ({ kind, account_id: accountId, name }) => asked.get(scopeOf(kind, accountId, name))),
    ...[...byName].filter(([, same]) => same.length > 1).map(([name, same]) => `${name} stands for ${same.length} orders`),
    ...[...byName]
      .filter(([name, same]) => !asked.has(name) && same.some(({ id }) => !acknowledged.has(id)))
      .map(([name]) => `${name} exists and nobody asked for it`),
  ]
}
