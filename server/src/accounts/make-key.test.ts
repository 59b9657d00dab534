import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { KeyType } from './caller.ts'
import { createTestKeyCheck, keyPrefixOf, makeKey } from './make-key.ts'

it('a real key never begins as a test key does, whatever the prefix and the secret', () => {
  const types = fc.constantFrom<KeyType>('standard', 'sms', 'commission')
  const prefixes = fc.stringMatching(/^[a-z][a-z0-9]{1,19}$/)
  fc.assert(
    fc.property(prefixes, prefixes, types, fc.string(), (prefix, other, type, secret) => {
      const isTestKey = createTestKeyCheck(prefix)
      expect(isTestKey(makeKey(prefix, type, true))).toBe(true)
      expect(isTestKey(`${keyPrefixOf(prefix, type)}${secret}`)).toBe(false)
      expect(isTestKey(makeKey(other, type, true))).toBe(other === prefix)
    }),
  )
})
