import { expect, test } from 'vitest'
import { cedis, gigabytes } from '../../both/money/read-amount.ts'
import { cleanLines, readLines } from './read-lines.ts'

const sizeOf = (line: string, kind = cedis) => {
  const [read] = readLines(cleanLines(line), ['MTN', 'Telecel'], kind)
  return read?.problem ?? read?.size
}

test.each([
  ['0244123904', undefined],
  ['0244123904, 12.50', 12.5],
  ['0244123904,12.50', 12.5],
  ['0244123904; MTN; GHS 1 250', 1_250],
  ['0244123904, MTN, 10, again', 10],
  ['0244123904, Ama 2', undefined],
])('the line %j holds the amount %d', (line, amount) => {
  expect(sizeOf(line)).toBe(amount)
})

test.each([
  '0244123904, 12,50',
  '0244123904,1,250',
  '"0244123904","12,50"',
  '0244123904, 12.505',
  '0244123904, -5',
  '0244123904, 0',
])('the line %j holds no amount that can be bought, and is not read as another one', (line) => {
  expect(sizeOf(line)).toEqual(expect.any(String))
})

test('a size is read in GB', () => {
  expect(sizeOf('0244123904, MTN, 1.5 GB', gigabytes)).toBe(1.5)
})
