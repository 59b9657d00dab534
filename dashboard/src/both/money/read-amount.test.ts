import { expect, test } from 'vitest'
import { amountTexts } from './amount-texts.fixture.ts'
import { cedis, cedisOrNone, count, percent, readAmount, signedCedis } from './read-amount.ts'

test.each(amountTexts)('an amount: $text is $ghs, or refused', ({ text, ghs, why }) => {
  const { amount, problem } = readAmount(text, cedis)
  expect([amount, problem?.startsWith(why ?? '')]).toEqual([ghs, why === undefined ? undefined : true])
})

test.each([
  ['5', 5],
  ['GHS 1,250.50', 1_250.5],
  ['1\u00a0250.5', 1_250.5],
  ['20 ghs', 20],
  ['1,234,567.89', 1_234_567.89],
  ['0.05', 0.05],
])('%j is read as %d cedis', (text, amount) => {
  expect(readAmount(text, cedis)).toEqual({ amount })
})

test.each([
  '0',
  '-5',
  '1,2,3',
  '12,5000',
  '1,25.50',
  '0,500',
  '00,050',
  '12 50',
  '5 GHS 10',
  '1 250,000',
  '5e3',
  '.5',
  '5.',
  '+5',
])('%j is no amount above 0', (text) => {
  expect(readAmount(text, cedis)).toEqual({ problem: expect.any(String) })
})

test('an empty field says nothing, and no kind reads more than it takes', () => {
  expect(readAmount('  ', cedis)).toEqual({})
  expect(readAmount('0', cedisOrNone)).toEqual({ amount: 0 })
  expect(readAmount('−7.77', signedCedis)).toEqual({ amount: -7.77 })
  expect(readAmount('0', signedCedis)).toEqual({ problem: 'Must not be 0.' })
  expect(readAmount('1,250', count)).toEqual({ amount: 1_250 })
  expect(readAmount('12.50', count)).toEqual({ problem: 'Write a whole number.' })
  expect(readAmount('12,50', count)).toEqual({ problem: 'Write a whole number.' })
  expect(readAmount('1,250', percent)).toEqual({ problem: 'At most 100%.' })
  expect(readAmount('12,5', percent)).toEqual({ problem: 'Write 12.5 with a point.' })
})
