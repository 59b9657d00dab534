import fc from 'fast-check'
import { expect, test } from 'vitest'
import { outgoingReference } from './outgoing-reference.ts'

const attempt = fc.tuple(fc.uuid(), fc.constantFrom('datamart', 'datakazina', 'hubtel'), fc.integer({ min: 1, max: 10_000 }))

test('a reference begins with the time of its order', () => {
  fc.assert(
    fc.property(attempt, ([id, ...of]) => {
      expect(outgoingReference(id, ...of).slice(0, 12)).toBe(id.replaceAll('-', '').slice(0, 12))
    }),
  )
})

test('a reference has 25 lower-case letters and digits, whatever the attempt', () => {
  fc.assert(
    fc.property(attempt, (of) => {
      expect(outgoingReference(...of)).toMatch(/^[0-9a-z]{25}$/)
    }),
  )
})

test('an attempt has the same reference whenever it is made, in every release', () => {
  const orderId = '01989b52-7c1e-7000-8000-000000000001'
  expect(outgoingReference(orderId, 'datamart', 1)).toBe('01989b527c1e2u0z74k0rsjko')
  expect(outgoingReference(orderId.toUpperCase(), 'datamart', 1)).toBe('01989b527c1e2u0z74k0rsjko')
})

test('two attempts never share a reference: not those of one order, nor those with two suppliers', () => {
  fc.assert(
    fc.property(attempt, attempt, (one, other) => {
      expect(outgoingReference(...one) === outgoingReference(...other)).toBe(JSON.stringify(one) === JSON.stringify(other))
    }),
  )
  const [id] = fc.sample(fc.uuid(), 1)
  const ofOrder = ['datamart', 'datakazina'].flatMap((supplier) =>
    Array.from({ length: 1_000 }, (_, n) => outgoingReference(id ?? '', supplier, n + 1)),
  )
  expect(new Set(ofOrder).size).toBe(2_000)
})
