import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createPace } from './pace.ts'

const never = new AbortController().signal

describe('the pace of a supplier', () => {
  it('never has more calls in flight than slots, and starts them in the order they came', async () => {
    const pace = createPace({ slots: 2, requestsPerSecond: null })
    let inFlight = 0
    let most = 0
    const started: number[] = []
    await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        pace.run(never, async () => {
          started.push(index)
          inFlight += 1
          most = Math.max(most, inFlight)
          await sleep(2)
          inFlight -= 1
        }),
      ),
    )
    expect(most).toBe(2)
    expect(started).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    expect(pace.free()).toBe(2)
  })

  it('starts a second worth of calls at once and the rest no faster than the rate', async () => {
    const pace = createPace({ slots: 100, requestsPerSecond: 20 })
    const startedAt = performance.now()
    const starts: number[] = []
    await Promise.all(
      Array.from({ length: 24 }, () => pace.run(never, async () => void starts.push(performance.now() - startedAt))),
    )
    expect(pace.free()).toBe(0)
    // The 21st call and all later ones waited for their turn: they never start early, however slow the machine is.
    for (const [index, start] of starts.entries()) expect(start).toBeGreaterThanOrEqual(((index - 19.5) / 20) * 1_000)
  })

  it('gives the slot back when the work fails', async () => {
    const pace = createPace({ slots: 1, requestsPerSecond: null })
    await expect(pace.run(never, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(await pace.run(never, () => Promise.resolve('yes'))).toBe('yes')
  })

  it('never runs work whose caller gave up while it waited', async () => {
    const pace = createPace({ slots: 1, requestsPerSecond: null })
    const giveUp = new AbortController()
    let hasRun = false
    const gate = Promise.withResolvers<void>()
    const first = pace.run(never, () => gate.promise)
    const second = pace.run(giveUp.signal, async () => {
      hasRun = true
    })
    giveUp.abort(new Error('gave up'))
    await expect(second).rejects.toThrow('gave up')
    gate.resolve()
    await first
    // All calls that waited before this one have had their turn.
    await pace.run(never, () => Promise.resolve())
    expect(hasRun).toBe(false)
    expect(pace.free()).toBe(1)
  })
})
