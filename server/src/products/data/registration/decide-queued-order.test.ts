import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { combineStates, type ServerState } from './combine-states.ts'
import { decideQueuedOrder, type QueuedFacts } from './decide-queued-order.ts'
import type { ServerNo } from './registration-servers.ts'

const facts: QueuedFacts = {
  registration: 'not_registered',
  ageSeconds: 10,
  waitedSeconds: 10,
  wasSent: false,
  deadlineDays: 7,
  isRefunded: true,
}
const day = 86_400
const anyRegistration = fc.constantFrom('registered', 'not_registered', 'unknown', undefined)
const anyFacts: fc.Arbitrary<QueuedFacts> = fc.record({
  registration: anyRegistration,
  ageSeconds: fc.double({ min: 0, max: 400 * day, noNaN: true }),
  waitedSeconds: fc.double({ min: 0, max: 400 * day, noNaN: true }),
  wasSent: fc.boolean(),
  deadlineDays: fc.integer({ min: 1, max: 365 }),
  isRefunded: fc.boolean(),
})

describe('an order that waits for its number', () => {
  it('is looked at at most 30 seconds apart at first, and ever less often, but at least twice an hour', () => {
    const delays = [0, 59, 60, 1_799, 1_800, 6 * 3_600, 6 * day].map((waitedSeconds) => {
      const decision = decideQueuedOrder({ ...facts, waitedSeconds })
      return decision.do === 'wait' ? decision.afterSeconds : 0
    })
    expect(delays).toEqual([5, 5, 30, 30, 300, 1_800, 1_800])
  })

  it('is released only by a yes, and never fails before its deadline', () => {
    fc.assert(
      fc.property(anyFacts, (given) => {
        const decision = decideQueuedOrder(given)
        const mayGo = given.registration === 'registered' || given.registration === undefined
        const isPastDeadline = given.ageSeconds >= given.deadlineDays * day
        const isRight = { release: mayGo, fail: isPastDeadline, wait: !isPastDeadline && !mayGo }
        expect(isRight[decision.do]).toBe(true)
      }),
    )
  })

  it('that was never sent goes as soon as its number is registered, however late', () => {
    expect(decideQueuedOrder({ ...facts, registration: 'registered', ageSeconds: 30 * day }).do).toBe('release')
  })

  it('that a supplier sent back goes again until the deadline, and fails then', () => {
    const sentBack = { ...facts, registration: 'registered', wasSent: true } as const
    expect(decideQueuedOrder(sentBack).do).toBe('release')
    expect(decideQueuedOrder({ ...sentBack, ageSeconds: 7 * day })).toEqual({
      do: 'fail',
      reason: 'not_registered',
      isRefunded: true,
    })
  })
})

describe('what the accepted servers say together', () => {
  const states: ServerState[] = ['registered', 'pending', 'not_registered', 'unavailable']
  const said = (first: ServerState, second: ServerState) =>
    new Map<ServerNo, ServerState>([
      [1, first],
      [2, second],
    ])

  it('is yes if any of them says yes, else open if any is silent, else no', () => {
    for (const first of states) {
      for (const second of states) {
        const both = [first, second]
        const wanted = both.includes('registered') ? 'registered' : both.includes('unavailable') ? 'unknown' : 'not_registered'
        expect(combineStates(said(first, second), [1, 2])).toBe(wanted)
        expect(combineStates(said(first, second), [2])).toBe(combineStates(said(second, second), [1, 2]))
      }
    }
  })

  it('counts a server that was not asked as silent', () => {
    expect(combineStates(new Map([[1, 'not_registered']]), [1, 2])).toBe('unknown')
    expect(combineStates(new Map(), [1])).toBe('unknown')
  })
})
