import Type from 'typebox'
import { expect, test } from 'vitest'
import { decimalsKeyword } from './describe-schema-error.ts'
import { compileValidator } from './read-requests.ts'

test('a number with too many decimals is refused with as many as its schema allows', () => {
  const fields = [1, 3].map((decimals) => [`with_${decimals}`, Type.Number({ [decimalsKeyword]: decimals })] as const)
  const validate = compileValidator({ schema: Type.Object(Object.fromEntries(fields)), method: 'POST', url: '/' })
  expect(validate({ with_1: 0.1, with_3: 0.001 })).toHaveProperty('value')
  const { error } = validate({ with_1: 0.11, with_3: 0.0001 }) as { error: Error }
  expect(error.message).toBe('with_1 must have at most 1 decimal. with_3 must have at most 3 decimals.')
})

const manyFields = () => Object.fromEntries(Array.from({ length: 60_000 }, (_, number) => [`k${number}`, 1]))

test('of sixty thousand unknown fields none is copied for a refusal', () => {
  const validate = compileValidator({ schema: Type.Object({ reference: Type.String() }), method: 'POST', url: '/' })
  const read: string[] = []
  const body = new Proxy(
    { ...manyFields(), reference: 5 },
    {
      get: (fields, name) => {
        read.push(String(name))
        return Reflect.get(fields, name) as unknown
      },
    },
  )
  const { error } = validate(body) as { error: Error }
  expect(error.message).toBe('reference must be a string.')
  expect(new Set(read)).toEqual(new Set(['reference']))
})

test('of sixty thousand fields that a closed schema refuses, the first twenty are searched and one is named', () => {
  const schema = Type.Object({ reference: Type.String() }, { additionalProperties: false })
  const validate = compileValidator({ schema, method: 'POST', url: '/' })
  const { error } = validate({ ...manyFields(), reference: 5 }) as { error: Error }
  expect(error.message).toBe('the body has a field that is not known: k0. reference must be a string.')
})
