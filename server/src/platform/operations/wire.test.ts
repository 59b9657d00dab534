import Type from 'typebox'
import { describe, expect, it } from 'vitest'
import { Ghs } from '../../money/ghs.ts'
import { pesewas } from '../../money/pesewas.ts'
import { Nullable } from '../http/schemas.ts'
import { NeededAtDesk, Timestamp, WithWireName } from './fields.ts'
import { toWire, wireOf } from './wire.ts'

const Sale = Type.Object(
  {
    orderId: Type.String(),
    pricePesewas: Ghs({ description: 'In GHS.' }),
    soldAt: Timestamp(),
    refundedAt: Nullable(Timestamp()),
    note: NeededAtDesk(Type.String()),
    lastAddress: WithWireName('last_ip', Type.String()),
    holder: Type.Union([Type.Object({ fullName: Type.String() }), Type.Null()]),
    lines: Type.Array(Type.Object({ feePesewas: Nullable(Ghs()) })),
    status: Type.Literal('done'),
  },
  { title: 'Sale' },
)
const sale = {
  orderId: 'o-1',
  pricePesewas: pesewas(450),
  soldAt: new Date('2026-11-24T06:00:00Z'),
  refundedAt: null,
  lastAddress: '192.0.2.7',
  holder: { fullName: 'Ama' },
  lines: [{ feePesewas: pesewas(5) }, { feePesewas: null }],
  status: 'done' as const,
}
const json = {
  order_id: 'o-1',
  price: 4.5,
  sold_at: '2026-11-24T06:00:00.000Z',
  refunded_at: null,
  last_ip: '192.0.2.7',
  holder: { full_name: 'Ama' },
  lines: [{ fee: 0.05 }, { fee: null }],
  status: 'done',
}

describe('the wire', () => {
  it('has the names and values of JSON, in the schema too, and nothing that the schema does not name', () => {
    expect(wireOf(Sale).encode({ ...sale, secret: 'x', status: undefined })).toEqual(json)
    expect(wireOf(Sale).decode(json)).toEqual(sale)
    expect(toWire(Sale, { ...sale, holder: null })).toMatchObject({ holder: null })
    expect(wireOf(Sale).schema).toMatchObject({
      title: 'Sale',
      required: ['order_id', 'price', 'sold_at', 'refunded_at', 'last_ip', 'holder', 'lines', 'status'],
      properties: { price: { type: 'number', description: 'In GHS.' }, sold_at: { type: 'string', format: 'date-time' } },
    })
    expect(JSON.stringify(wireOf(Sale).schema)).not.toMatch(/orderId|fullName|Pesewas/)
  })

  it('needs at the desk what a command may leave out', () => {
    expect(wireOf(Sale, { isAtDesk: true }).schema).toMatchObject({ required: expect.arrayContaining(['note']) as unknown })
  })

  it('refuses to write a value without a field that its schema needs, and to read an amount of half a pesewa', () => {
    expect(() => wireOf(Sale).encode({ ...sale, soldAt: undefined })).toThrow('soldAt is missing')
    expect(() => wireOf(Sale).encode({ ...sale, orderId: undefined })).toThrow('orderId is missing')
    expect(() => wireOf(Sale).decode({ ...json, price: 4.505 })).toThrow('at most 2 decimals')
  })

  it('lets an object be null, and shapes that are the same in JSON stand beside each other', () => {
    const view = wireOf(Nullable(Type.Object({ endsAt: Timestamp() })))
    expect([view.encode(null), view.decode(null)]).toEqual([null, null])
    expect(view.decode({ ends_at: '2026-11-24T06:00:00.000Z' })).toEqual({ endsAt: sale.soldAt })
    const proof = Type.Union([Type.Object({ code: Type.String() }), Type.Object({ backup_code: Type.String() })])
    expect(wireOf(proof).decode({ backup_code: 'x' })).toEqual({ backup_code: 'x' })
    expect(() => wireOf(Type.Union([Type.Object({ at: Timestamp() }), Type.Object({ code: Type.String() })]))).toThrow(
      'Only null',
    )
  })
})
