import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { splitCommission } from './commission-terms.ts'
import { pesewas } from './pesewas.ts'

const amounts = fc.integer({ min: 1, max: 1_000_000_000 }).map(pesewas)
const basisPoints = fc.integer({ min: 0, max: 10_000 })
const terms = fc.record({ rateBasisPoints: basisPoints, shareBasisPoints: basisPoints })

/** Floor of a × b ÷ 10,000 without binary fractions. */
const exactPart = (amount: number, points: number) => Number((BigInt(amount) * BigInt(points)) / 10_000n)

describe('the split of a commission', () => {
  it('gives the caller and the platform together exactly the supplier’s commission, to the pesewa', () => {
    fc.assert(
      fc.property(amounts, terms, fc.double({ min: 0, max: 1, noNaN: true }), (amount, agreed, fraction) => {
        const reported = Math.floor(amount * fraction)
        const split = splitCommission(amount, reported, agreed)
        expect(split.base).toBe(reported)
        expect(split.caller + split.platform).toBe(reported)
        expect(split.caller).toBe(exactPart(reported, agreed.shareBasisPoints))
        expect(split.source).toBe('reported')
      }),
    )
  })

  it('computes the base from the rate, rounded down to the pesewa, when the supplier reports none', () => {
    fc.assert(
      fc.property(amounts, terms, (amount, agreed) => {
        const split = splitCommission(amount, null, agreed)
        expect(split.base).toBe(exactPart(amount, agreed.rateBasisPoints))
        expect(split.caller).toBe(exactPart(split.base, agreed.shareBasisPoints))
        expect(split.caller + split.platform).toBe(split.base)
        expect(split.source).toBe('rate')
        expect(Math.min(split.caller, split.platform)).toBeGreaterThanOrEqual(0)
      }),
    )
  })

  it('leaves the remainder of the rounding with the platform', () => {
    const split = splitCommission(pesewas(999), null, { rateBasisPoints: 150, shareBasisPoints: 5_000 })
    expect(split).toEqual({ base: 14, caller: 7, platform: 7, source: 'rate' })
    expect(splitCommission(pesewas(1_000), 15, { rateBasisPoints: 0, shareBasisPoints: 5_000 })).toMatchObject({
      caller: 7,
      platform: 8,
    })
  })

  it('takes a reported commission of nothing at its word', () => {
    expect(splitCommission(pesewas(1_000), 0, { rateBasisPoints: 500, shareBasisPoints: 5_000 })).toMatchObject({
      base: 0,
      caller: 0,
    })
  })

  it.each([-1, 1_001, 1_000_000])('does not believe a reported commission of %i pesewas on an order of 1000', (reported) => {
    const split = splitCommission(pesewas(1_000), reported, { rateBasisPoints: 500, shareBasisPoints: 5_000 })
    expect(split).toEqual({ base: 50, caller: 25, platform: 25, source: 'rate' })
  })
})
