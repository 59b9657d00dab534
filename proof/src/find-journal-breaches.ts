import type { Installation } from './installation.ts'
import type { AnsweredOrder, CallRecord, Journal } from './journal.ts'

type StoredOrder = {
  id: string
  account_id: string
  reference: string
  price: number
  status: string
  debits: number
  debited: number
}

async function readOrders(installation: Installation, accountIds: readonly string[], prefix: string): Promise<StoredOrder[]> {
  return installation.query<StoredOrder>(
    `select orders.id, orders.account_id, reference, price::float8 as price, status,
       count(transfers.cause_id)::int as debits, coalesce(sum(transfers.amount), 0)::float8 as debited
     from orders left join transfers on transfers.cause_id = orders.id and transfers.kind = 'purchase'
     where orders.account_id = any($1::uuid[]) and starts_with(reference, $2)
     group by orders.id`,
    [accountIds, prefix],
  )
}

function breachOfAccepted(record: CallRecord, answered: AnsweredOrder, stored: StoredOrder | undefined): string | undefined {
  const what = `acknowledged order ${answered.reference}`
  if (!stored) return `${what} is gone`
  if (stored.id !== answered.orderId) return `${what} has the id ${stored.id}, not ${answered.orderId}`
  if (stored.account_id !== record.call.accountId) return `${what} belongs to another account`
  if (stored.price !== answered.pricePesewas) return `${what} costs ${stored.price}, not ${answered.pricePesewas}`
  if (stored.debits !== 1 || stored.debited !== stored.price) return `${what} has ${stored.debits} debits of ${stored.debited}`
  return undefined
}

function breachesOf(record: CallRecord, stored: ReadonlyMap<string, StoredOrder>): string[] {
  const { call, end, orders } = record
  if (end === 'accepted') {
    const missing = call.orders.filter(({ reference }) => !orders.some((order) => order.reference === reference))
    return [
      ...orders.flatMap((order) => breachOfAccepted(record, order, stored.get(order.reference)) ?? []),
      ...missing.map(({ reference }) => `${reference} was accepted without being named in the answer`),
    ]
  }
  if (end === undefined) return [`no definite outcome: ${JSON.stringify(record.outcomes)} for ${call.orders[0]?.reference}`]
  return call.orders
    .filter(({ reference }) => stored.has(reference))
    .map(({ reference }) => `${reference} was refused (${record.outcomes.at(-1)}) and yet exists`)
}

/**
 * Holds the database to the client's journal: everything acknowledged exists with the same id, price and
 * one debit; everything refused has left nothing; nothing exists that was never asked for.
 *
 * @param prefix what the references of this journal begin with, where its accounts have others too
 * @returns what is broken, in words; empty when nothing is
 */
export async function findJournalBreaches(installation: Installation, journal: Journal, prefix = ''): Promise<string[]> {
  const records = journal.records()
  const accountIds = [...new Set(records.map(({ call }) => call.accountId))]
  const orders = await readOrders(installation, accountIds, prefix)
  const stored = new Map(orders.map((order) => [order.reference, order]))
  const asked = new Set(records.flatMap(({ call }) => call.orders.map(({ reference }) => reference)))
  return [
    ...records.flatMap((record) => breachesOf(record, stored)),
    ...orders
      .filter(({ reference }) => !asked.has(reference))
      .map(({ reference }) => `${reference} exists and nobody asked for it`),
  ]
}
