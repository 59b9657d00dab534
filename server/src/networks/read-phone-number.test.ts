import { expect, it } from 'vitest'
import { readPhoneNumber } from './read-phone-number.ts'

it.each([
  '0241234567',
  '024 123 4567',
  '024-123-4567',
  '024.123.4567',
  '+233241234567',
  '+233 24 123 4567',
  '233241234567',
  '00233241234567',
  '+233 (0)24 123 4567',
  '(0)24 1234567',
  '(024) 123 4567',
  '+233 024 123 4567',
])('reads %s as 0241234567', (text) => {
  expect(readPhoneNumber(text)).toBe('0241234567')
})

it.each(['241234567', '02412345678', '+234241234567', '024123456a', '', 'ama', '0241234567; 0241234568'])(
  'reads no number out of %j',
  (text) => {
    expect(readPhoneNumber(text)).toBeUndefined()
  },
)
