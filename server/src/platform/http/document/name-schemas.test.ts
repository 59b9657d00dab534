import { expect, it } from 'vitest'
import { nameSchemas } from './name-schemas.ts'

const order = (description: string) => ({
  title: 'Order',
  type: 'object',
  properties: { title: { type: 'string', description } },
})

it('keeps a schema with a title once, under its name, and points to it', () => {
  const document = {
    paths: { '/a': { body: order('one') }, '/b': { list: { items: order('one') } } },
    components: { schemas: {} },
  }
  nameSchemas(document)
  const reference = { $ref: '#/components/schemas/Order' }
  expect(document.paths).toEqual({ '/a': { body: reference }, '/b': { list: { items: reference } } })
  expect(document.components.schemas).toEqual({ Order: order('one') })
})

it('refuses two different schemas of one name', () => {
  const document = { paths: { '/a': order('one'), '/b': order('two') } }
  expect(() => nameSchemas(document)).toThrow('two different schemas are called Order')
})

it('leaves what only looks like a schema in an example alone', () => {
  const paths = { '/a': { example: { title: 'Order' } } }
  const document = { paths }
  nameSchemas(document)
  expect(document.paths).toEqual(paths)
})
