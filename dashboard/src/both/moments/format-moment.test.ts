import { expect, test } from 'vitest'
import { readMoment } from './format-moment.ts'

test.each([
  ['', undefined],
  ['2026-11-29T10:00', '2026-11-29T10:00:00.000Z'],
  ['2026-11-29T10:00:30', '2026-11-29T10:00:30.000Z'],
  // A browser's field takes a year of up to six digits.
  ['20266-11-29T10:00', '+020266-11-29T10:00:00.000Z'],
  ['275760-09-12T23:59', '+275760-09-12T23:59:00.000Z'],
])('the text %j of a field for day and time is the moment %s', (text, moment) => {
  expect(readMoment(text)).toBe(moment)
})
