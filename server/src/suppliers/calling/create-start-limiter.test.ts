import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createStartLimiter } from './create-start-limiter.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const limits = fc.record({
  slots: fc.integer({ min: 1, max: 20 }),
  perSecond: fc.option(fc.integer({ min: 1, max: 500 })),
  catchUpMilliseconds: fc.integer({ min: 0, max: 1_000 }),
})

/** Pairs of numbers: how long after the one before it a turn is asked for, and how long the turn lasts. */
const asks = fc.array(fc.tuple(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 60 })), { minLength: 1, maxLength: 40 })

describe('turns', () => {
  it('are all given, in order, within the slots and never faster than the rate and what may be caught up', () => {
    fc.assert(
      fc.property(limits, asks, (rules, asked) => {
        const turns = createStartLimiter(rules)
        const starts: { id: number; at: number }[] = []
        let inFlight = 0
        for (const [id, [after, lasts]] of asked.entries()) {
          vi.advanceTimersByTime(after)
          turns.enqueue(() => {
            inFlight += 1
            expect(inFlight).toBeLessThanOrEqual(rules.slots)
            starts.push({ id, at: performance.now() })
            setTimeout(() => {
              inFlight -= 1
              turns.end()
            }, lasts)
          })
        }
        vi.advanceTimersByTime(120_000)
        expect(starts.map(({ id }) => id)).toEqual([...asked.keys()])
        const apart = rules.perSecond === null ? 0 : 1_000 / rules.perSecond
        for (const [later, { at }] of starts.entries()) {
          for (const [earlier, start] of starts.slice(0, later).entries()) {
            expect(at - start.at).toBeGreaterThanOrEqual((later - earlier) * apart - rules.catchUpMilliseconds - 1e-3)
          }
        }
        expect(inFlight).toBe(0)
      }),
      { numRuns: 80 },
    )
  })

  it('that nobody else waits for may be taken at once, as many as are free', () => {
    const turns = createStartLimiter({ slots: 10, perSecond: 4, catchUpMilliseconds: 750 })
    expect(turns.free()).toBe(4)
    for (let count = 3; count >= 0; count -= 1) {
      turns.startNow()
      expect(turns.free()).toBe(count)
    }
    vi.advanceTimersByTime(250)
    expect(turns.free()).toBe(1)
  })

  it('that are given up never come, and hold up nobody', () => {
    const turns = createStartLimiter({ slots: 1, perSecond: null, catchUpMilliseconds: 0 })
    const started: string[] = []
    turns.enqueue(() => started.push('first'))
    const giveUp = turns.enqueue(() => started.push('second'))
    turns.enqueue(() => started.push('third'))
    giveUp()
    turns.end()
    expect(started).toEqual(['first', 'third'])
  })

  it('wait for the end of a pause, which a shorter one does not shorten', () => {
    const turns = createStartLimiter({ slots: 5, perSecond: null, catchUpMilliseconds: 0 })
    const started: number[] = []
    turns.pauseFor(1_000)
    turns.pauseFor(10)
    turns.enqueue(() => started.push(performance.now()))
    expect(turns.free()).toBe(0)
    vi.advanceTimersByTime(999)
    expect(started).toEqual([])
    expect(turns.isPaused()).toBe(true)
    vi.advanceTimersByTime(2)
    expect(started).toHaveLength(1)
    expect(turns.isPaused()).toBe(false)
  })
})
