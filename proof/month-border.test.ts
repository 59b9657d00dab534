import { expect, test } from 'vitest'
import { moveClock } from './src/month-border.ts'

test.each([
  ['2026-11-28T19:10:00.250Z', '2026-12-01T00:00:00.000Z'],
  ['2026-12-31T12:00:00.000Z', '2027-01-01T00:00:00.000Z'],
  ['2028-02-29T23:57:30.000Z', '2028-04-01T00:00:00.000Z'],
])('a run that begins at %s goes over %s, 150 s after it began', (now, border) => {
  const { FAKETIME, PROOF_MONTH_BORDER } = moveClock('/usr/lib/libfaketime.so', Date.parse(now))
  expect(PROOF_MONTH_BORDER).toBe(border)
  expect(FAKETIME).toMatch(/^\+\d+(\.\d+)?$/)
  expect(Date.parse(now) + Number(FAKETIME) * 1_000).toBe(Date.parse(border) - 150_000)
})
