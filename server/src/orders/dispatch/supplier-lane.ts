import type { Supplier } from '../../suppliers/ports.ts'

/** One supplier's work in this process: its running calls, and the room for more claims. */
export type SupplierLane = {
  readonly supplierName: string
  /** The supplier's routes that had due orders when the schedule was last read. */
  routes: readonly string[]
  isClaiming: boolean
  /** More orders may be due: the last claim was full, or there was no room for a claim. */
  mayHaveMore: boolean
  /** The routes, beginning with a different one each time, so that no route is always last. */
  inTurn(): string[]
  /** How many more orders may be claimed now. */
  room(supplier: Supplier | undefined): number
  /** True when the free room is worth a claim's calls to the database. */
  isWorthClaiming(supplier: Supplier | undefined): boolean
  started(): void
  ended(milliseconds: number): void
}

/** One claim takes at most this many orders. */
const claimMax = 512

/** Enough orders are kept ready to keep the supplier's slots busy for this long. */
const readyMilliseconds = 250

/** However fast a supplier is, at most this many orders are ready for each of its slots. */
const readyPerSlotMax = 8

/** The weight of the latest call in the moving average of durations. */
const latestWeight = 0.2

/** The most orders to claim for a supplier that this process does not know. They are only postponed, without a call. */
const roomWithoutSupplier = 100

/**
 * Keeps count of one supplier's work. An order that is claimed but cannot be sent in time was claimed for nothing, so only
 * as many are claimed as calls can start. For a fast supplier a few more are kept ready, so that no slot waits for the
 * database and each claim takes several orders.
 */
export function createSupplierLane(supplierName: string): SupplierLane {
  let running = 0
  let slotsSeen = 0
  let turn = 0
  let usualMilliseconds = Number.POSITIVE_INFINITY

  /** How many claimed orders are kept ready besides those whose calls run. */
  function readyMax(): number {
    const perSlot = Math.min(readyPerSlotMax, readyMilliseconds / usualMilliseconds)
    return Math.min(claimMax, Math.max(0, Math.floor((perSlot - 1) * slotsSeen)))
  }

  function room(supplier: Supplier | undefined): number {
    if (!supplier) return roomWithoutSupplier
    const free = supplier.freeSlots()
    // While a slot is free, no claimed order waits for one. So the free slots and the running calls are all slots.
    if (free > 0) slotsSeen = free + running
    // Fewer calls run than there are slots, and still no call may start: the supplier's rate limit holds them. Orders
    // claimed now would only wait.
    if (free === 0 && running < slotsSeen) return 0
    return Math.min(claimMax, Math.max(free, slotsSeen + readyMax() - running))
  }

  return {
    supplierName,
    routes: [],
    isClaiming: false,
    mayHaveMore: false,
    inTurn() {
      turn += 1
      const first = turn % Math.max(1, this.routes.length)
      return [...this.routes.slice(first), ...this.routes.slice(0, first)]
    },
    room,
    isWorthClaiming: (supplier) => room(supplier) >= Math.max(1, readyMax() / 2),
    started: () => {
      running += 1
    },
    ended: (milliseconds) => {
      running -= 1
      const before = Number.isFinite(usualMilliseconds) ? usualMilliseconds : milliseconds
      usualMilliseconds = before + latestWeight * (milliseconds - before)
    },
  }
}
