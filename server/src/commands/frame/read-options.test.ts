import { expect, it } from 'vitest'
import { UsageError } from './command-error.ts'
import { readDecimal } from './read-options.ts'

it('a number has at most the decimals that its field allows, and none where it allows none', () => {
  const read = (text: string, decimals: number) => readDecimal('--share', text, { decimals, most: 100 })
  expect(['0', '62.5', '100', '100.00'].map((text) => read(text, 2))).toEqual([0, 62.5, 100, 100])
  expect(['0', '62', '100'].map((text) => read(text, 0))).toEqual([0, 62, 100])
  for (const text of ['5.', '.5', '5.125', '-1', '100.01', '']) expect(() => read(text, 2)).toThrow(UsageError)
  for (const text of ['5.', '5.0', '5.5', '-1', '101', '']) expect(() => read(text, 0)).toThrow(UsageError)
})
