import { expect, it } from 'vitest'
import { pesewas } from '../../money/pesewas.ts'
import { walletId } from '../../money/wallets.ts'
import { decideCalls, type IntakeFacts } from '../../orders/intake/decide-calls.ts'
import type { OrderItem, OrderKind } from '../../orders/order-kind.ts'
import { afaKind } from './afa.kind.ts'

const fee = pesewas(1_200)
const kinds = new Map([['afa', afaKind as OrderKind]])

function item(orderId: string, fingerprint: string): OrderItem {
  return {
    orderId,
    accountId: 'a',
    kind: 'afa',
    reference: 'afa-1',
    fingerprint,
    request: { phone: '0241234567', sealedIdentity: 'v1.x.y', refusalIfNew: undefined },
  }
}

function makeFacts(): IntakeFacts {
  return {
    now: new Date(),
    catalogueVersion: 1,
    accounts: new Map([['a', { isSuspended: false, isPermanent: true, pricingRole: 'agent' as const }]]),
    wallets: new Map([[walletId({ accountId: 'a', purse: 'main' }), { balance: 10_000, lastEntryNo: 1 }]]),
    references: new Map(),
    orders: new Map(),
    reads: new Map([['afa', { customer: fee, agent: fee, dealer: fee }]]),
  }
}

it('answers the caller whose commit was lost with its own order, and everybody else who comes with the reference 409', () => {
  const facts = makeFacts()
  const place = (wanted: OrderItem) => decideCalls([{ accountId: 'a', items: [wanted] }], facts, kinds).outcomes[0]
  const first = place(item('order-1', 'fingerprint-1'))
  // The batch runs again after the answer to COMMIT was lost, with the same item and order id.
  const again = place(item('order-1', 'fingerprint-1'))
  expect(first).toMatchObject({ charged: 1_200, placements: [{ isReplay: false, order: { id: 'order-1' } }] })
  expect(again).toMatchObject({ placements: [{ isReplay: false, order: { id: 'order-1' } }], balance: 8_800 })
  expect(place(item('order-2', 'fingerprint-2'))).toMatchObject({ refusal: { status: 409 } })
})
