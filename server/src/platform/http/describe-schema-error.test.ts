import Type from 'typebox'
import Value from 'typebox/value'
import { expect, it } from 'vitest'
import { describeSchemaErrors } from './describe-schema-error.ts'

const said = (schema: Type.TSchema, value: unknown) => describeSchemaErrors(Value.Errors(schema, value), 'body')

it('says in words what a value may be that fits none of several forms', () => {
  const TextOrCount = Type.Object({ limit: Type.Union([Type.String(), Type.Integer()]) })
  expect(said(TextOrCount, { limit: true })).toBe('limit must be a string or an integer.')
  const Word = Type.Object({ way: Type.Union([Type.Literal('cash'), Type.Literal('momo')]) })
  expect(said(Word, { way: 'card' })).toBe('way must be one of cash, momo.')
  const Deep = Type.Object({ term: Type.Union([Type.Object({ percent: Type.Number({ maximum: 100 }) }), Type.Null()]) })
  expect(said(Deep, { term: { percent: 120 } })).toBe('term.percent must be at most 100.')
  const Mixed = Type.Object({ until: Type.Union([Type.Literal('now'), Type.String({ minLength: 9 })]) })
  expect(said(Mixed, { until: 'soon' })).toBe('until is in none of the forms that it can have.')
})
