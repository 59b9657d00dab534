import { join } from 'node:path'
import { openAppendOnlyLog } from '../effects/open-append-only-log.ts'
import type { ScriptedOutcome } from '../scripted-outcomes.ts'

/** A valid purchase, in the form that the books of all suppliers keep. */
export type Purchase = {
  readonly ref: string
  readonly phoneNumber: string
  /** The network, in the supplier's word. */
  readonly network: string
  /** In GB. */
  readonly capacity: number
}

export type FinalStatus = 'completed' | 'failed' | 'refunded'

export type SimulatedOrder = Purchase & {
  /** The supplier's own code, such as `DM-00000001`, is made from this number. */
  readonly sequence: number
  readonly costPesewas: number
  readonly outcome: ScriptedOutcome
  readonly createdAt: number
  readonly finishesAt: number
  status: 'open' | FinalStatus
  updatedAt: number
}

/** A purchase that was refused for good. Its reference always gets the same answer. */
export type RefusedPurchase = Purchase & { readonly code: 'INVALID_RECIPIENT' | 'INSUFFICIENT_BALANCE' }

type JournalEntry =
  | (Omit<SimulatedOrder, 'status' | 'updatedAt'> & { readonly type: 'order'; readonly status?: 'failed' })
  | (RefusedPurchase & { readonly type: 'refusal' })
  | { readonly type: 'failed'; readonly ref: string; readonly at: number }

export type Acceptance = {
  readonly outcome: ScriptedOutcome
  readonly costPesewas: number
  readonly finishesInMilliseconds: number
  /** Accepted, and failed in the same moment. */
  readonly hasFailed?: boolean
}

export type OrderBook = {
  find(reference: string): SimulatedOrder | undefined
  findRefusal(reference: string): RefusedPurchase | undefined
  /** Stores a purchase. A second one with the same reference finds it at once. Resolves when it is on disk. */
  accept(purchase: Purchase, acceptance: Acceptance): Promise<SimulatedOrder>
  refuse(refused: RefusedPurchase): Promise<void>
  fail(order: SimulatedOrder): Promise<void>
  markDelivered(order: SimulatedOrder, at: number): void
  openOrders(): SimulatedOrder[]
  /** The sum of the prices of all orders that did not fail. */
  spentPesewas(): number
  count(): number
  settled(): Promise<void>
  close(): Promise<void>
}

/** The supplier's own code of an order, such as `DM-00000001`. */
export function formatOrderCode(prefix: string, sequence: number): string {
  return `${prefix}-${String(sequence).padStart(8, '0')}`
}

export type OrderBookOptions = {
  readonly folder: string
  /** The supplier's name; its journal is `<supplier>-orders.jsonl`. */
  readonly supplier: string
  readonly codePrefix: string
  /** Delivery times from the effect log, by the buyer's reference. */
  readonly delivered: ReadonlyMap<string, number>
}

function createOrders(codePrefix: string) {
  const codePattern = new RegExp(`^${codePrefix}-(\\d{8,12})$`)
  const orders = new Map<string, SimulatedOrder>()
  const bySequence: (SimulatedOrder | undefined)[] = []
  /** Equal names of networks share one string, which saves memory with a million orders. */
  const networks = new Map<string, string>()
  let spentPesewas = 0

  return {
    find: (reference: string) => orders.get(reference) ?? bySequence[Number(codePattern.exec(reference)?.[1] ?? 0)],
    list: () => [...orders.values()],
    count: () => orders.size,
    nextSequence: () => Math.max(bySequence.length, 1),
    spentPesewas: () => spentPesewas,
    internNetwork(network: string): string {
      const known = networks.get(network)
      if (known === undefined) networks.set(network, network)
      return known ?? network
    },
    add(order: SimulatedOrder): void {
      orders.set(order.ref, order)
      bySequence[order.sequence] = order
      if (order.status !== 'failed') spentPesewas += order.costPesewas
    },
    remove(order: SimulatedOrder): void {
      orders.delete(order.ref)
      bySequence[order.sequence] = undefined
      if (order.status !== 'failed') spentPesewas -= order.costPesewas
    },
    markFailed(order: SimulatedOrder, at: number): void {
      if (order.status !== 'open') return
      order.status = 'failed'
      order.updatedAt = at
      spentPesewas -= order.costPesewas
    },
    markDelivered(order: SimulatedOrder, at: number): void {
      order.status = 'completed'
      order.updatedAt = at
    },
  }
}

type Orders = ReturnType<typeof createOrders>
type Refusals = Map<string, RefusedPurchase>

function replay(entry: JournalEntry, orders: Orders, refusals: Refusals, delivered: ReadonlyMap<string, number>): void {
  if (entry.type === 'order') {
    const { type: _, ...facts } = entry
    const network = orders.internNetwork(entry.network)
    const order: SimulatedOrder = { ...facts, network, status: entry.status ?? 'open', updatedAt: entry.createdAt }
    orders.add(order)
    const deliveredAt = delivered.get(entry.ref)
    if (deliveredAt !== undefined) orders.markDelivered(order, deliveredAt)
  } else if (entry.type === 'refusal') {
    const { type: _, ...refused } = entry
    refusals.set(entry.ref, refused)
  } else {
    const order = orders.find(entry.ref)
    if (order) orders.markFailed(order, entry.at)
  }
}

/** Opens the journal of a supplier's orders. It keeps every order in memory, about 350 bytes each. */
export async function openOrderBook({ folder, supplier, codePrefix, delivered }: OrderBookOptions): Promise<OrderBook> {
  const orders = createOrders(codePrefix)
  const refusals: Refusals = new Map()
  const journal = await openAppendOnlyLog(join(folder, `${supplier}-orders.jsonl`), (text) =>
    replay(JSON.parse(text) as JournalEntry, orders, refusals, delivered),
  )
  const write = (entry: JournalEntry) => journal.append(JSON.stringify(entry))

  async function accept(purchase: Purchase, acceptance: Acceptance): Promise<SimulatedOrder> {
    const createdAt = Date.now()
    const facts = {
      ...purchase,
      sequence: orders.nextSequence(),
      costPesewas: acceptance.costPesewas,
      outcome: acceptance.outcome,
      createdAt,
      finishesAt: createdAt + acceptance.finishesInMilliseconds,
    }
    const order: SimulatedOrder = { ...facts, status: acceptance.hasFailed ? 'failed' : 'open', updatedAt: createdAt }
    orders.add(order)
    try {
      await write({ type: 'order', ...facts, ...(acceptance.hasFailed ? { status: 'failed' } : {}) })
    } catch (error) {
      orders.remove(order)
      throw error
    }
    return order
  }

  return {
    find: orders.find,
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
      orders.markFailed(order, at)
    },
    markDelivered: (order, at) => orders.markDelivered(order, at),
    openOrders: () => orders.list().filter(({ status }) => status === 'open'),
    spentPesewas: orders.spentPesewas,
    count: orders.count,
    settled: journal.settled,
    close: journal.close,
  }
}
