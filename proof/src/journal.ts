import { openSync, writeSync } from 'node:fs'
import type { Outcome } from './client.ts'

/** What a client asks for in one order (contract, POST /data/purchase). */
export type OrderBody = {
  readonly network: string
  readonly volume_gb: number
  readonly recipient: string
  readonly reference: string
}

/** One request of a client, sent once or, until its outcome is definite, again and again. */
export type Call = {
  readonly accountId: string
  readonly key: string
  readonly path: '/data/purchase' | '/data/bulk'
  readonly orders: readonly OrderBody[]
}

/** An order as an answer described it. */
export type AnsweredOrder = { readonly orderId: string; readonly reference: string; readonly pricePesewas: number }

/** What the client knows of a call. */
export type CallRecord = {
  readonly call: Call
  sends: number
  /** undefined: no definite outcome yet. */
  end: 'accepted' | 'business' | undefined
  /** The orders of the first 200. */
  orders: readonly AnsweredOrder[]
  /** Status, or what took the place of an answer, with `X-Error-Reason`, in the order they came. */
  readonly outcomes: string[]
}

/**
 * The client's own durable journal, and so the truth that the server is held to: each line is handed to
 * the operating system before the request leaves, and before its answer is acted on.
 */
export type Journal = {
  noteSend(call: Call): void
  /** @throws when an answer contradicts an earlier one */
  noteOutcome(call: Call, outcome: Outcome): void
  records(): readonly CallRecord[]
  /** How often each kind of outcome came. */
  counts(): Record<string, number>
}

type DataOrder = { order_id: string; reference: string; price: number }

function ordersOf(call: Call, outcome: Outcome): readonly AnsweredOrder[] {
  if (outcome.kind === 'failure') return []
  const data = outcome.body?.data ?? {}
  const orders = (call.path === '/data/bulk' ? data['orders'] : [data]) as DataOrder[]
  return orders.map(({ order_id: orderId, reference, price }) => ({ orderId, reference, pricePesewas: Math.round(price * 100) }))
}

function describe(outcome: Outcome): string {
  if (outcome.kind === 'failure') return outcome.code
  return [outcome.status, outcome.headers['x-error-reason']].filter((word) => word !== undefined).join(' ')
}

/** Opens a new journal. */
export function openJournal(file: string): Journal {
  const descriptor = openSync(file, 'a')
  const known = new Map<Call, CallRecord>()
  const counts: Record<string, number> = {}
  const write = (line: unknown) => writeSync(descriptor, `${JSON.stringify(line)}\n`)

  function recordOf(call: Call): CallRecord {
    const record = known.get(call) ?? { call, sends: 0, end: undefined, orders: [], outcomes: [] }
    known.set(call, record)
    return record
  }

  return {
    noteSend(call) {
      const record = recordOf(call)
      record.sends += 1
      write({ at: Date.now(), sent: call.orders, path: call.path, accountId: call.accountId })
    },
    noteOutcome(call, outcome) {
      const record = recordOf(call)
      const description = describe(outcome)
      record.outcomes.push(description)
      counts[description] = (counts[description] ?? 0) + 1
      const orders = outcome.class === 'accepted' ? ordersOf(call, outcome) : []
      write({ at: Date.now(), references: call.orders.map(({ reference }) => reference), outcome: description, orders })
      if (outcome.class === 'transient' || outcome.class === 'ambiguous') return
      if (record.end !== undefined && record.end !== outcome.class) {
        throw new Error(`a call that was ${record.end} is now ${outcome.class}: ${JSON.stringify(record)}`)
      }
      if (record.end === 'accepted' && JSON.stringify(record.orders) !== JSON.stringify(orders)) {
        throw new Error(`the same call was answered with other orders: ${JSON.stringify({ record, orders })}`)
      }
      record.end = outcome.class
      record.orders = orders
    },
    records: () => [...known.values()],
    counts: () => counts,
  }
}
