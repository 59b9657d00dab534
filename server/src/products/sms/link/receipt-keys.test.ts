import { expect, it } from 'vitest'
import { messageKey, messageKeysOf, recipientTail } from './receipt-keys.ts'

it.each([
  ['1F', '1f'],
  ['0001000001', '1000001'],
  ['0', '0'],
  ['000', '0'],
  ['8f2c-77', '8f2c-77'],
])('the id %s is kept as %s', (id, key) => {
  expect(messageKey(id)).toBe(key)
})

it('a text whose SMSC gave it no id is never matched by a receipt', () => {
  for (const id of ['0', '00', '000000']) expect(messageKeysOf(id)).not.toContain(messageKey(''))
})

it('an id in a receipt is looked for as it is, then as the same number in the other notation', () => {
  expect(messageKeysOf('0001000001')).toEqual(['1000001', 'f4241', '16777217'])
  expect(messageKeysOf('F4241')).toEqual(['f4241', '1000001'])
  expect(messageKeysOf('a-b')).toEqual(['a-b'])
})

it('a recipient is known by its last nine digits, however it is written', () => {
  expect(['0241234567', '233241234567', '+233 24 123 4567'].map(recipientTail)).toEqual(['241234567', '241234567', '241234567'])
  expect(recipientTail('1234')).toBeUndefined()
})
