import { expect, test } from 'vitest'
import { pesewas, pesewasFromText } from './pesewas.ts'

/** Amounts on the command line and in files of prices are written by programs and copied by people. */
test('an amount in text is read only where it cannot mean another one', () => {
  const read = ['12.50', '12.5', '1250', '-4.50', ' 17.5 '].map(pesewasFromText)
  expect(read).toEqual([1_250, 1_250, 125_000, -450, 1_750].map(pesewas))
  const refused = [
    '12,50',
    '12,5',
    '1,250',
    '1 250',
    '1,250.50',
    '1.250,50',
    '1,25',
    '1250.505',
    '12 50',
    '1e3',
    '0x10',
    'twelve',
    '',
  ]
  expect(refused.filter((text) => pesewasFromText(text) !== undefined)).toEqual([])
})
