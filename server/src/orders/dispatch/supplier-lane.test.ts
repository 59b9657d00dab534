import { expect, test } from 'vitest'
import type { Supplier } from '../../suppliers/ports.ts'
import { createSupplierLane } from './supplier-lane.ts'

/** A supplier for tests that look only at its slots. */
function withFree(free: number): Supplier {
  return { freeSlots: () => free } as Supplier
}

function runCalls(lane: ReturnType<typeof createSupplierLane>, count: number, milliseconds: number): void {
  for (let call = 0; call < count; call += 1) {
    lane.started()
    lane.ended(milliseconds)
  }
}

test('as many orders are claimed as calls can start, until the supplier has proved fast', () => {
  const lane = createSupplierLane('stub')
  expect(lane.room(withFree(8))).toBe(8)
  runCalls(lane, 50, 2_000)
  expect(lane.room(withFree(8))).toBe(8)
  for (let call = 0; call < 8; call += 1) lane.started()
  expect(lane.room(withFree(0))).toBe(0)
  expect(lane.isWorthClaiming(withFree(0))).toBe(false)
})

test('a single slot of a slow supplier that comes free is worth a claim', () => {
  const lane = createSupplierLane('stub')
  expect(lane.room(withFree(8))).toBe(8)
  runCalls(lane, 50, 2_000)
  for (let call = 0; call < 7; call += 1) lane.started()
  expect(lane.isWorthClaiming(withFree(1))).toBe(true)
})

test('behind a fast supplier some orders more are kept ready, and claimed when half of them are gone', () => {
  const lane = createSupplierLane('stub')
  expect(lane.room(withFree(8))).toBe(8)
  runCalls(lane, 50, 50)
  // Orders are kept ready for 250 ms, in which each of the 8 slots makes five calls of 50 ms.
  expect(lane.room(withFree(8))).toBe(40)
  for (let call = 0; call < 30; call += 1) lane.started()
  expect(lane.room(withFree(0))).toBe(10)
  expect(lane.isWorthClaiming(withFree(0))).toBe(false)
  for (let call = 0; call < 10; call += 1) lane.ended(50)
  expect(lane.isWorthClaiming(withFree(0))).toBe(true)
})

test('nothing is kept ready while the supplier’s pace holds us back', () => {
  const lane = createSupplierLane('stub')
  expect(lane.room(withFree(8))).toBe(8)
  runCalls(lane, 50, 5)
  for (let call = 0; call < 3; call += 1) lane.started()
  expect(lane.room(withFree(0))).toBe(0)
})
