import type { Supplier } from '../suppliers/ports.ts'

/** How much of one supplier's work this process has in hand. */
export type SupplierLane = {
  isClaiming: boolean
  /** There may be more due than was claimed. */
  isHungry: boolean
  /** The routes, beginning with another one each time, so that none is always last. */
  inTurn(routes: readonly string[]): string[]
  /** How many more orders may be claimed now. */
  room(supplier: Supplier | undefined): number
  started(): void
  ended(milliseconds: number): void
}

/** One claim takes no more orders than this. */
const claimMax = 256

/** A supplier that usually answers within this is given its next calls before the last ones are back. */
const fastMilliseconds = 100

/** How much the latest call weighs in the usual duration. */
const latestWeight = 0.2

/** Orders of a supplier that is not there are only put off, which costs no call. */
const roomWithoutSupplier = 100

/**
 * Opens the account of a supplier's work. At most as many orders are claimed as calls can start: what is
 * claimed and cannot be sent in time was claimed for nothing. Only behind a fast supplier is as much again
 * kept ready, so that no slot waits for the database.
 */
export function openSupplierLane(): SupplierLane {
  let running = 0
  let slotsSeen = 0
  let turn = 0
  let usualMilliseconds = Number.POSITIVE_INFINITY
  return {
    isClaiming: false,
    isHungry: false,
    inTurn: (routes) => {
      turn += 1
      const first = turn % Math.max(1, routes.length)
      return [...routes.slice(first), ...routes.slice(0, first)]
    },
    room: (supplier) => {
      if (!supplier) return roomWithoutSupplier
      const free = supplier.freeSlots()
      slotsSeen = Math.max(slotsSeen, Math.min(claimMax, free + running))
      const ready = usualMilliseconds < fastMilliseconds ? Math.max(free, 2 * slotsSeen - running) : free
      return Math.min(claimMax, ready)
    },
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
