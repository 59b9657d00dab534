import { expect, it } from 'vitest'
import { amountIn, credits, formatAmount, unitOfPurse, viewAmount } from './amount.ts'
import { formatGhs, ghs, pesewas } from './pesewas.ts'

it('prints two credits as credits and two pesewas as GHS 0.02, for people and for programs', () => {
  const [twoCredits, twoPesewas] = [amountIn(unitOfPurse('sms_credits'), 2), amountIn(unitOfPurse('main'), 2)]
  expect([twoCredits, twoPesewas].map(formatAmount)).toEqual(['2 SMS credits', 'GHS 0.02'])
  expect([twoCredits, twoPesewas].map(viewAmount)).toEqual([
    { amount: 2, unit: 'credits' },
    { amount: 0.02, unit: 'GHS' },
  ])
})

it('does not compile when credits are taken for money, or money for credits', () => {
  // @ts-expect-error credits are printed by `formatAmount`
  expect(formatGhs(credits(2))).toBe('GHS 0.02')
  // @ts-expect-error credits have no value in GHS
  expect(ghs(credits(2))).toBe(0.02)
  // @ts-expect-error credits do not become pesewas by being called so
  expect(pesewas(credits(2))).toBe(2)
  // @ts-expect-error nor pesewas credits
  expect(credits(pesewas(2))).toBe(2)
})

it('refuses parts of a credit', () => {
  expect(() => credits(0.5)).toThrow(RangeError)
})
