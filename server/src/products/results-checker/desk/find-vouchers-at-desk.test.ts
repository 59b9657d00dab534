import { expect, it } from 'vitest'
import { endOfSerialNumber } from './find-vouchers-at-desk.ts'

it('at most half of a serial number is shown, and at most four characters', () => {
  const ends = ['1234567890', '12345678', '1234567', '12', '1'].map(endOfSerialNumber)
  expect(ends).toEqual(['7890', '5678', '567', '2', ''])
})
