import { openSync, writeSync } from 'node:fs'
import { deniesCharge } from './breaches/classify.ts'
import type { Outcome } from './client.ts'

/** A client's request for one bundle (contract, POST /data/purchase). */
export type DataBody = {
  readonly network: string
  readonly volume_gb: number
  readonly recipient: string
  readonly reference: string
}

/** Airtime (contract, POST /airtime/purchase). */
export type AirtimeBody = {
  readonly network: string
  readonly beneficiary_phone: string
  /** In GHS. */
  readonly amount: number
  readonly reference: string
}

/** A bill (contract, POST /utilities/pay). Its reference is the account's own and optional. */
export type BillBody = {
  readonly biller: string
  readonly account: string
  readonly phone?: string
  /** In GHS. */
  readonly amount: number
  readonly reference?: string
}

/** One request of a client, sent once or repeated until its outcome is definite. */
export type Call = { readonly accountId: string; readonly key: string } & (
  | { readonly path: '/data/purchase' | '/data/bulk'; readonly orders: readonly DataBody[] }
  | { readonly path: '/airtime/purchase'; readonly orders: readonly AirtimeBody[] }
  | { readonly path: '/utilities/pay'; readonly orders: readonly BillBody[] }
)

export type DataCall = Extract<Call, { readonly path: '/data/purchase' | '/data/bulk' }>

export type AnsweredOrder = {
  readonly orderId: string
  /** The reference by which the platform finds the order. For a bill the platform makes it. */
  readonly reference: string
  /** The reference in the client's request; the platform's reference if the request had none. */
  readonly name: string
  /** Undefined in the short answer to the replay of a bill. */
  readonly pricePesewas: number | undefined
}

export type CallRecord = {
  readonly call: Call
  sends: number
  /** Undefined until the outcome is definite. */
  end: 'accepted' | 'business' | undefined
  /** The orders of the first answer with status 200. */
  orders: readonly AnsweredOrder[]
  /** Outcomes of the tries in order: the status with `X-Error-Reason`, or the fault that came instead. */
  readonly outcomes: string[]
  readonly tries: Try[]
}

/** One try of a call. Times in milliseconds since 1970 by this machine's clock, which the database shares. */
export type Try = {
  readonly sentAt: number
  /** Undefined until the try has ended, by an answer or by a fault such as a time-out. */
  endedAt: number | undefined
  /** `denied`: certainly nothing was charged, by the answer or because no server was reached. `unclear`: it may have been. */
  answer: 'accepted' | 'denied' | 'unclear'
}

/**
 * The client's durable journal, with which the server is compared. The operating system has each line before the request is
 * sent, and before its answer is used.
 */
export type Journal = {
  recordSend(call: Call): void
  /** @throws when an answer contradicts an earlier one */
  recordOutcome(call: Call, outcome: Outcome): void
  records(): readonly CallRecord[]
  /** How often each kind of outcome came. */
  counts(): Record<string, number>
}

/** An order of any product as its answer shows it. Each product names the price differently. */
type WrittenOrder = { order_id: string; reference: string; price?: number; airtime_amount?: number; amount?: number }

function readOrder(call: Call, order: WrittenOrder): AnsweredOrder {
  const price = order.price ?? order.airtime_amount ?? order.amount
  const ownName = call.path === '/utilities/pay' ? call.orders[0]?.reference : undefined
  return {
    orderId: order.order_id,
    reference: order.reference,
    name: ownName ?? order.reference,
    pricePesewas: price === undefined ? undefined : Math.round(price * 100),
  }
}

/** The orders that an answer acknowledges; empty when it acknowledges none. */
export function readAnsweredOrders(call: Call, outcome: Outcome): readonly AnsweredOrder[] {
  if (outcome.class !== 'accepted' || outcome.kind === 'failure') return []
  const data = outcome.body?.data ?? {}
  const orders = (call.path === '/data/bulk' ? data['orders'] : [data]) as WrittenOrder[]
  return orders.map((order) => readOrder(call, order))
}

/** Returns whether two answers to one call name the same orders. Only the first answer to a bill has the price. */
function areSame(some: readonly AnsweredOrder[], others: readonly AnsweredOrder[]): boolean {
  const isSame = (one: AnsweredOrder, other: AnsweredOrder | undefined) =>
    one.orderId === other?.orderId &&
    one.reference === other.reference &&
    (one.pricePesewas ?? other.pricePesewas) === (other.pricePesewas ?? one.pricePesewas)
  return some.length === others.length && some.every((order, no) => isSame(order, others[no]))
}

function describe(outcome: Outcome): string {
  if (outcome.kind === 'failure') return outcome.code
  return [outcome.status, outcome.headers['x-error-reason']].filter((word) => word !== undefined).join(' ')
}

function endTry({ tries }: CallRecord, outcome: Outcome): void {
  const last = tries.findLast(({ endedAt }) => endedAt === undefined)
  if (!last) return
  last.endedAt = Date.now()
  if (outcome.class === 'accepted') last.answer = 'accepted'
  else if (outcome.kind === 'answer' && deniesCharge(outcome)) last.answer = 'denied'
  else if (outcome.class === 'transient') last.answer = 'denied'
}

export function openJournal(file: string): Journal {
  const descriptor = openSync(file, 'a')
  const known = new Map<Call, CallRecord>()
  const counts: Record<string, number> = {}
  const write = (line: unknown) => writeSync(descriptor, `${JSON.stringify(line)}\n`)

  function recordOf(call: Call): CallRecord {
    const record = known.get(call) ?? { call, sends: 0, end: undefined, orders: [], outcomes: [], tries: [] }
    known.set(call, record)
    return record
  }

  return {
    recordSend(call) {
      const record = recordOf(call)
      record.sends += 1
      record.tries.push({ sentAt: Date.now(), endedAt: undefined, answer: 'unclear' })
      write({ at: Date.now(), sent: call.orders, path: call.path, accountId: call.accountId })
    },
    recordOutcome(call, outcome) {
      const record = recordOf(call)
      const description = describe(outcome)
      record.outcomes.push(description)
      endTry(record, outcome)
      counts[description] = (counts[description] ?? 0) + 1
      const orders = readAnsweredOrders(call, outcome)
      write({ at: Date.now(), references: call.orders.map(({ reference }) => reference), outcome: description, orders })
      if (outcome.class === 'transient' || outcome.class === 'ambiguous') return
      if (record.end !== undefined && record.end !== outcome.class) {
        throw new Error(`a call that was ${record.end} is now ${outcome.class}: ${JSON.stringify(record)}`)
      }
      if (record.end === 'accepted' && !areSame(record.orders, orders)) {
        throw new Error(`the same call was answered with other orders: ${JSON.stringify({ record, orders })}`)
      }
      if (record.end === undefined) record.orders = orders
      record.end = outcome.class
    },
    records: () => [...known.values()],
    counts: () => counts,
  }
}
