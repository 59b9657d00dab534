import fc from 'fast-check'
import { expect, test } from 'vitest'
import { outgoingReference } from './outgoing-reference.ts'

test('a reference has 25 lower-case letters and digits, whatever the attempt', () => {
  fc.assert(
    fc.property(fc.uuid(), (id) => {
      expect(outgoingReference(id)).toMatch(/^[0-9a-z]{25}$/)
    }),
  )
})

test('two attempts never share a reference', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.uuid(), (one, other) => {
      expect(outgoingReference(one) === outgoingReference(other)).toBe(one === other)
    }),
  )
  expect(outgoingReference('ffffffff-ffff-ffff-ffff-ffffffffffff')).toHaveLength(25)
})
