import { expect, it } from 'vitest'
import { windowSizeOf } from './commit-window.ts'

const sizeOf = (submitsAtOnce: number, submitsPerSecond: number | null) => windowSizeOf({ submitsAtOnce, submitsPerSecond })

it('a window of a link without a rate names twice what may be without an answer, and never more than 100', () => {
  expect([1, 10, 50, 80].map((slots) => sizeOf(slots, null))).toEqual([2, 20, 100, 100])
})

it('a window of a link with a rate names only a quarter of a second ahead of what may be without an answer', () => {
  expect([sizeOf(50, 101), sizeOf(20, 30), sizeOf(20, 1_000)]).toEqual([76, 28, 40])
})

it('a window of a slow link names what it sends in one second, so that a crash or a cancelled campaign leaves few texts', () => {
  expect([sizeOf(50, 5), sizeOf(50, 20), sizeOf(1, 1)]).toEqual([5, 20, 1])
})
