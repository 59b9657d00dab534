import Type from 'typebox'
import { expect, it } from 'vitest'
import { Ghs } from '../../money/ghs.ts'
import { Nullable } from '../../platform/http/schemas.ts'
import { describeAnswer } from './describe-answer.ts'

const Line = Type.Object({ name: Type.String(), feePesewas: Ghs() })
const Shop = Type.Object({
  shopId: Type.String(),
  isOpen: Type.Boolean(),
  closedAt: Nullable(Type.String()),
  lines: Type.Array(Line),
})

it('describes facts in lines, and lists as tables below them', () => {
  const lines = [
    { name: 'MTN', feePesewas: 150 },
    { name: 'Telecel', feePesewas: 5 },
  ]
  expect(describeAnswer(Shop, { shopId: 's-1', isOpen: true, closedAt: null, lines })).toBe(
    'shop id    s-1\nis open    yes\nclosed at  –\n\nlines:\nname     fee\nMTN      GHS 1.50\nTelecel  GHS 0.05',
  )
  expect(describeAnswer(Type.Array(Line), [])).toBe('There is none.')
})
