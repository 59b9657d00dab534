import type { Supplier } from '../../suppliers/ports.ts'

/** How much of one supplier's work this process has in hand. */
export type SupplierLane = {
  readonly supplierName: string
  /** The supplier's routes on which orders were due at the last look. */
  routes: readonly string[]
  isClaiming: boolean
  /** There may be more due than was claimed. */
  isHungry: boolean
  /** The routes, beginning with another one each time, so that none is always last. */
  inTurn(): string[]
  /** How many more orders may be claimed now. */
  room(supplier: Supplier | undefined): number
  /** Whether so much room has come free that a claim is worth its transaction. */
  isWorthClaiming(supplier: Supplier | undefined): boolean
  started(): void
  ended(milliseconds: number): void
}

/** One claim takes no more orders than this. */
const claimMax = 512

/** As many orders are kept ready as a supplier's slots take in this time, the wait for a slot included. */
const readyMilliseconds = 250

/** However fast a supplier is, no more than this many orders are ready for each of its slots. */
const readyPerSlotMax = 8

/** How much the latest call weighs in the usual duration. */
const latestWeight = 0.2

/** Orders of a supplier that is not there are only put off, which costs no call. */
const roomWithoutSupplier = 100

/**
 * Opens the account of a supplier's work. What is claimed and cannot be sent in time was claimed for nothing, so as
 * many orders are claimed as calls can start. Only behind a fast supplier are some more kept ready, so that no slot
 * waits for the database and a claim has company in its transaction.
 */
export function createSupplierLane(supplierName: string): SupplierLane {
  let running = 0
  let slotsSeen = 0
  let turn = 0
  let usualMilliseconds = Number.POSITIVE_INFINITY

  /** How many orders are kept beyond those that are being called about. */
  function readyMax(): number {
    const perSlot = Math.min(readyPerSlotMax, readyMilliseconds / usualMilliseconds)
    return Math.min(claimMax, Math.max(0, Math.floor((perSlot - 1) * slotsSeen)))
  }

  function room(supplier: Supplier | undefined): number {
    if (!supplier) return roomWithoutSupplier
    const free = supplier.freeSlots()
    // While one is free, none of ours waits for one.
    if (free > 0) slotsSeen = free + running
    // Fewer calls run than there are slots, and still none may start: the supplier's pace is the limit. Orders claimed now would only wait.
    if (free === 0 && running < slotsSeen) return 0
    return Math.min(claimMax, Math.max(free, slotsSeen + readyMax() - running))
  }

  return {
    supplierName,
    routes: [],
    isClaiming: false,
    isHungry: false,
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
