import { expect, test } from 'vitest'
import { readGhs } from './read-ghs.ts'

test.each([
  ['5', 5],
  [' GHS 1,250.50 ', 1250.5],
  ['1 250.5', 1250.5],
  ['12,50', 12.5],
  ['1,250', 1250],
  ['20 GHS', 20],
  ['1,234,567.89', 1_234_567.89],
  ['9999999', 9_999_999],
])('%j is read as %d cedis', (text, amount) => {
  expect(readGhs(text)).toBe(amount)
})

test.each([
  '',
  'ghs',
  '0',
  '0.00',
  '-5',
  '5.005',
  '1,2,3',
  '12,5000',
  '1,25.50',
  '1.250,50',
  '0,500',
  '00,050',
  '12 50',
  '5 GHS 10',
  '12345678',
  '5e3',
  'five',
])('%j is no amount', (text) => {
  expect(readGhs(text)).toBeUndefined()
})
