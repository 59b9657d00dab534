import { expect, it } from 'vitest'
import { isAdultInAccra } from './is-adult-in-accra.ts'

it.each([
  ['2008-06-15', '2026-06-15T00:00:00.000Z', true],
  ['2008-06-15', '2026-06-14T23:59:59.999Z', false],
  ['2008-06-15', '2026-06-15T23:59:59.999Z', true],
  ['2008-02-29', '2026-02-28T23:59:59.999Z', false],
  ['2008-02-29', '2026-03-01T00:00:00.000Z', true],
  ['2000-02-29', '2018-02-28T12:00:00.000Z', false],
  ['2000-02-29', '2018-03-01T00:00:00.000Z', true],
  ['2007-12-31', '2025-12-30T23:00:00.000Z', false],
  ['2007-12-31', '2025-12-31T00:00:00.000Z', true],
  ['1900-01-01', '2026-01-01T00:00:00.000Z', true],
  ['0001-01-01', '2026-01-01T00:00:00.000Z', true],
  ['2030-01-01', '2026-01-01T00:00:00.000Z', false],
])('somebody born on %s is 18 or older on the calendar of Accra at %s: %s', (dateOfBirth, now, isAdult) => {
  expect(isAdultInAccra(dateOfBirth, new Date(now))).toBe(isAdult)
})
