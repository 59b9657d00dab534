import Type from 'typebox'
import { expect, test } from 'vitest'
import { compileValidator } from './compile-validator.ts'
import { decimalsKeyword } from './describe-schema-error.ts'

test('a number with too many decimals is refused with as many as its schema allows', () => {
  const fields = [1, 3].map((decimals) => [`with_${decimals}`, Type.Number({ [decimalsKeyword]: decimals })] as const)
  const validate = compileValidator({ schema: Type.Object(Object.fromEntries(fields)), method: 'POST', url: '/' })
  expect(validate({ with_1: 0.1, with_3: 0.001 })).toHaveProperty('value')
  const { error } = validate({ with_1: 0.11, with_3: 0.0001 }) as { error: Error }
  expect(error.message).toBe('with_1 must have at most 1 decimal. with_3 must have at most 3 decimals.')
})
