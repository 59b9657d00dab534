import { join } from 'node:path'
import { openAppendOnlyLog } from '../effects/open-append-only-log.ts'
import type { ScriptedOutcome } from '../scripted-outcomes.ts'
import type { DataMartNetwork, Purchase } from './read-purchase.ts'
import { dataMartNetworks } from './read-purchase.ts'

/** What DataMart calls an order that has ended. */
export type FinalStatus = 'completed' | 'failed' | 'refunded'

export type DataMartOrder = Purchase & {
  /** Makes `DM-00000001`. */
  readonly sequence: number
  readonly costPesewas: number
  readonly outcome: ScriptedOutcome
  /** Milliseconds since 1970. */
  readonly createdAt: number
  readonly finishesAt: number
  status: 'open' | FinalStatus
  updatedAt: number
}

/** A purchase that was refused for good: its reference answers alike for ever. */
export type RefusedPurchase = Purchase & { readonly code: 'INVALID_RECIPIENT' | 'INSUFFICIENT_BALANCE' }

type JournalEntry =
  | (Omit<DataMartOrder, 'status' | 'updatedAt'> & { readonly type: 'order'; readonly status?: 'failed' })
  | (RefusedPurchase & { readonly type: 'refusal' })
  | { readonly type: 'failed'; readonly ref: string; readonly at: number }

/** What accepting a purchase decides. */
export type Acceptance = {
  readonly outcome: ScriptedOutcome
  readonly costPesewas: number
  readonly finishesInMilliseconds: number
  /** Accepted, and failed in the same moment. */
  readonly hasFailed?: boolean
}

export type OrderBook = {
  /** By our reference, or by theirs. */
  find(reference: string): DataMartOrder | undefined
  findRefusal(reference: string): RefusedPurchase | undefined
  /** Known at once, so that a second purchase of the same reference meets it; resolves when it is on disk. */
  accept(purchase: Purchase, acceptance: Acceptance): Promise<DataMartOrder>
  refuse(refused: RefusedPurchase): Promise<void>
  fail(order: DataMartOrder): Promise<void>
  /** Called when the effect is on disk; the effect log is the record of deliveries. */
  markDelivered(order: DataMartOrder, at: number): void
  openOrders(): DataMartOrder[]
  /** What all orders that did not fail have cost. */
  spentPesewas(): number
  count(): number
  settled(): Promise<void>
  close(): Promise<void>
}

/** `DM-00000001`. */
export function formatOrderReference(sequence: number): string {
  return `DM-${String(sequence).padStart(8, '0')}`
}

/**
 * Opens the journal of DataMart's orders. It keeps every order in memory, about 350 bytes each.
 *
 * @param delivered when what is already in the log of effects happened, by our reference
 */
export async function openOrderBook(folder: string, delivered: ReadonlyMap<string, number>): Promise<OrderBook> {
  const orders = new Map<string, DataMartOrder>()
  const bySequence: (DataMartOrder | undefined)[] = []
  const refusals = new Map<string, RefusedPurchase>()
  let spentPesewas = 0

  function add(order: DataMartOrder): void {
    orders.set(order.ref, order)
    bySequence[order.sequence] = order
    if (order.status !== 'failed') spentPesewas += order.costPesewas
  }

  function remove(order: DataMartOrder): void {
    orders.delete(order.ref)
    bySequence[order.sequence] = undefined
    if (order.status !== 'failed') spentPesewas -= order.costPesewas
  }

  function markFailed(order: DataMartOrder, at: number): void {
    if (order.status !== 'open') return
    order.status = 'failed'
    order.updatedAt = at
    spentPesewas -= order.costPesewas
  }

  function markDelivered(order: DataMartOrder, at: number): void {
    order.status = 'completed'
    order.updatedAt = at
  }

  function replay(entry: JournalEntry): void {
    if (entry.type === 'order') {
      const { type: _, ...order } = entry
      const deliveredAt = delivered.get(entry.ref)
      add({ ...order, network: internNetwork(entry.network), status: entry.status ?? 'open', updatedAt: entry.createdAt })
      const added = orders.get(entry.ref)
      if (added && deliveredAt !== undefined) markDelivered(added, deliveredAt)
    } else if (entry.type === 'refusal') {
      const { type: _, ...refused } = entry
      refusals.set(entry.ref, refused)
    } else {
      const order = orders.get(entry.ref)
      if (order) markFailed(order, entry.at)
    }
  }

  const journal = await openAppendOnlyLog(join(folder, 'datamart-orders.jsonl'), (text) =>
    replay(JSON.parse(text) as JournalEntry),
  )
  const write = (entry: JournalEntry) => journal.append(JSON.stringify(entry))

  async function accept(purchase: Purchase, acceptance: Acceptance): Promise<DataMartOrder> {
    const createdAt = Date.now()
    const facts = {
      ...purchase,
      sequence: Math.max(bySequence.length, 1),
      costPesewas: acceptance.costPesewas,
      outcome: acceptance.outcome,
      createdAt,
      finishesAt: createdAt + acceptance.finishesInMilliseconds,
    }
    const order: DataMartOrder = { ...facts, status: acceptance.hasFailed ? 'failed' : 'open', updatedAt: createdAt }
    add(order)
    try {
      await write({ type: 'order', ...facts, ...(acceptance.hasFailed ? { status: 'failed' } : {}) })
    } catch (error) {
      remove(order)
      throw error
    }
    return order
  }

  return {
    find: (reference) => orders.get(reference) ?? bySequence[Number(/^DM-(\d{8,12})$/.exec(reference)?.[1] ?? 0)],
    findRefusal: (reference) => refusals.get(reference),
    accept,
    refuse: async (refused) => {
      refusals.set(refused.ref, refused)
      try {
        await write({ type: 'refusal', ...refused })
      } catch (error) {
        refusals.delete(refused.ref)
        throw error
      }
    },
    fail: async (order) => {
      const at = Date.now()
      await write({ type: 'failed', ref: order.ref, at })
      markFailed(order, at)
    },
    markDelivered,
    openOrders: () => [...orders.values()].filter(({ status }) => status === 'open'),
    spentPesewas: () => spentPesewas,
    count: () => orders.size,
    settled: journal.settled,
    close: journal.close,
  }
}

/** The same text for the same network, so that a million orders share a few strings. */
function internNetwork(network: DataMartNetwork): DataMartNetwork {
  return dataMartNetworks.find((known) => known === network) ?? network
}
