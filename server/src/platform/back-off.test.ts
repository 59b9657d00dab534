import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { backOff, tryPatiently } from './back-off.ts'

describe('a back-off', () => {
  it('doubles from the first pause to the longest, and stays there however often it fails', () => {
    const pauses = [0, 1, 2, 3, 4, 5_000].map((failures) => backOff(failures, { first: 10, most: 70 }))
    expect(pauses).toEqual([10, 20, 40, 70, 70, 70])
  })

  it('grows by its factor', () => {
    expect([0, 1, 2, 3].map((failures) => backOff(failures, { first: 15, most: 300, factor: 4 }))).toEqual([15, 60, 240, 300])
  })

  it('is spread around the pause by no more than it says', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2_000 }), fc.double({ min: 0, max: 1, noNaN: true }), (failures, spread) => {
        const plain = backOff(failures, { first: 2, most: 64 })
        const pause = backOff(failures, { first: 2, most: 64, spread })
        expect(pause).toBeGreaterThanOrEqual(plain * (1 - spread) - 1e-9)
        expect(pause).toBeLessThanOrEqual(plain * (1 + spread) + 1e-9)
      }),
    )
    const many = Array.from({ length: 50 }, () => backOff(3, { first: 2, most: 64, spread: 0.5 }))
    expect(new Set(many).size).toBeGreaterThan(1)
  })
})

describe('work that is tried patiently', () => {
  it('is done again after each pause until it succeeds, and tells of what failed before', async () => {
    const failures: unknown[] = []
    let tries = 0
    const work = async () => {
      tries += 1
      if (tries < 3) throw new Error(`failure ${tries}`)
      return 'done'
    }
    expect(await tryPatiently([0, 0, 0], work, (error) => failures.push(String(error)))).toBe('done')
    expect(failures).toEqual(['Error: failure 1', 'Error: failure 2'])
  })

  it('throws the last failure when no pause is left', async () => {
    let tries = 0
    const work = () => {
      tries += 1
      return Promise.reject(new Error(`failure ${tries}`))
    }
    await expect(tryPatiently([0, 0], work)).rejects.toThrow('failure 3')
  })
})
