import { expect, test } from 'vitest'
import { cedis, gigabytes } from '../../both/money/read-amount.ts'
import { cleanLines } from './clean-lines.ts'
import { readLines } from './read-lines.ts'

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

const networks = ['MTN', 'Telecel', 'AT-iShare', 'AT-BigTime']

test.each([
  ['+233 24 412 3904', '0244123904'],
  ['00233 (0)24-412-3904', '0244123904'],
  ['244123904', '0244123904'],
  ['0244 123 904', '0244123904'],
  ['024 412 3904 5GB', '0244123904, 5GB'],
  ['Ama 0244123904 - 5gb please', '0244123904, 5gb'],
  ['mtn 2 gig for 024.412.3904', '0244123904, MTN, 2 GB'],
  ['[24/11/2026, 10:30] Kofi Mensah: 0244123904 10 cedis', '0244123904, 10 GHS'],
  ['24/11/2026, 10:30 pm - +233 55 111 2222: 0244123904', '0244123904'],
  ['0244123904 0551112222', '0244123904\n0551112222'],
  ['0244123904 2GB, 0551112222 5GB', '0244123904, 2GB\n0551112222, 5GB'],
  ['1. 0244123904\n2. 0551112222', '0244123904\n0551112222'],
  ['No\tName\tPhone\tGB\n1\tAma\t0244123904\t5\n2\tKojo\t055 111 2222\t2', '0244123904, 5\n0551112222, 2'],
  ['5,0244123904\n2,0551112222', '0244123904, 5\n0551112222, 2'],
  ['Ama,024412390,5', '024412390, 5'],
  ['024412390 5', '024412390, 5'],
  ['Good morning\n\nnumber', ''],
])('%j pasted becomes %j', (pasted, lines) => {
  expect(cleanLines(pasted, networks)).toBe(lines)
})

test('two numbers with one size are not guessed at', () => {
  const [line] = readLines(cleanLines('0244123904, 0551112222, 5', networks), networks, gigabytes)
  expect(line?.problem).toEqual(expect.any(String))
})

test('a short number and a size with a space between them are never joined to another number', () => {
  expect(readLines('024412390 5', networks, gigabytes)[0]).toMatchObject({ recipient: '024412390', size: 5 })
})
