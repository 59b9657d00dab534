import { expect, it } from 'vitest'
import { pesewas } from '../../money/pesewas.ts'
import { walletId } from '../../money/wallets.ts'
import { decideCalls, type IntakeFacts } from '../../orders/intake/decide-calls.ts'
import type { OrderCall } from '../../orders/intake/place-orders.ts'
import type { OrderKind } from '../../orders/order-kind.ts'
import { parseSecretsKeys } from '../../platform/secrets/secrets-keys.ts'
import { createResultsCheckerKind } from './results-checker.kind.ts'

const typeId = '0199c5a0-0000-7000-8000-000000000000'
const price = pesewas(1_000)

function openBooks(balances: Readonly<Record<string, number>>, availableCount: number): IntakeFacts {
  const type = { name: 'WASSCE', pricePesewas: { customer: price, agent: price, dealer: price }, isActive: true, availableCount }
  const accounts = Object.entries(balances)
  return {
    now: new Date(),
    catalogueVersion: 1,
    accounts: new Map(accounts.map(([id]) => [id, { isSuspended: false, isPermanent: true, pricingRole: 'agent' as const }])),
    wallets: new Map(
      accounts.map(([accountId, balance]) => [walletId({ accountId, purse: 'main' }), { balance, lastEntryNo: 1 }]),
    ),
    references: new Map(),
    orders: new Map(),
    reads: new Map([['results_checker', new Map([[typeId, type]])]]),
  }
}

const wants = (accountId: string, quantity: number): OrderCall => ({
  accountId,
  items: [
    {
      orderId: `order of ${accountId}`,
      accountId,
      kind: 'results_checker',
      reference: `reference of ${accountId}`,
      fingerprint: accountId,
      request: { typeId, quantity, recipientPhone: undefined, recipientEmail: undefined, refusalIfNew: undefined },
    },
  ],
})

const keys = parseSecretsKeys(Buffer.alloc(32, 1).toString('base64'), 'SECRETS_KEY')
const kinds = new Map([['results_checker', createResultsCheckerKind(keys) as OrderKind]])

it('a purchase that is refused for want of money takes nothing from its neighbours in the batch', () => {
  const { outcomes } = decideCalls([wants('poor', 2), wants('rich', 2)], openBooks({ poor: 1_999, rich: 2_000 }, 2), kinds)
  expect(outcomes).toMatchObject([{ refusal: { reason: 'insufficient_funds' } }, { charged: 2_000 }])
})

it('purchases of one batch share one stock, first come first served', () => {
  const { outcomes } = decideCalls(
    [wants('a', 2), wants('b', 2), wants('c', 1)],
    openBooks({ a: 10_000, b: 10_000, c: 10_000 }, 3),
    kinds,
  )
  expect(outcomes).toMatchObject([
    { charged: 2_000 },
    { refusal: { status: 400, message: expect.stringContaining('1 available') } },
    { charged: 1_000 },
  ])
})
