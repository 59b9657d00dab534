import Type from 'typebox'
import { expect, it } from 'vitest'
import { createDetailsReader, readManyDetails } from './create-details-reader.ts'

const read = createDetailsReader('toy', Type.Object({ colour: Type.String(), size: Type.Optional(Type.Integer()) }))

it('reads what an order froze, whatever a newer version added', () => {
  expect(read({ details: { colour: 'blue' } }).colour).toBe('blue')
  expect(read({ details: { colour: 'blue', size: 3, weight: 9 } })).toMatchObject({ size: 3 })
})

it('refuses details of another shape, and repeats nothing of what they hold', () => {
  expect(() => read({ details: {} })).toThrow(/not the details of an order of toy: .*colour/)
  expect(() => read({ details: { colour: 'blue', size: '0241234567' } })).toThrow(/^(?!.*0241234567).*\/size/)
})

it('leaves out of many what cannot be read', () => {
  const [blue, broken] = [{ details: { colour: 'blue' } }, { details: {} }]
  expect([...readManyDetails([broken, blue], read)]).toEqual([[blue, { colour: 'blue' }]])
})
