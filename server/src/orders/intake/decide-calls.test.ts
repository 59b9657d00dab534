import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pesewas } from '../../money/pesewas.ts'
import { walletId } from '../../money/wallets.ts'
import { refusals, refuse } from '../../platform/http/refusals.ts'
import type { OrderItem, OrderKind, RepeatKey } from '../order-kind.ts'
import { decideCalls, type IntakeFacts } from './decide-calls.ts'
import type { OrderCall, OrderKinds } from './place-orders.ts'

const packageNotFound = refuse(404, 'package_not_found', 'No such package.')
const packageOutOfStock = refuse(404, 'package_out_of_stock', 'Sold out.')
const numberNotRegistered = refuse(409, 'number_not_registered', 'Not registered.')

/** A kind with a price per item and one shared, limited stock. */
type TestRequest = { price: number; takesStock: boolean; isRefused: boolean; isSkipped?: boolean }
type TestRead = { stockLeft: number }

const testKind: OrderKind<TestRequest, TestRead> = {
  name: 'test',
  unit: 'pesewas',
  insufficientFunds: refusals.insufficientFunds,
  read: () => Promise.reject(new Error('the decision reads nothing')),
  decide(item, _view, read) {
    if (item.request.isRefused) return { refusal: packageNotFound }
    if (item.request.isSkipped) return { skipped: numberNotRegistered }
    if (item.request.takesStock && read.stockLeft === 0) return { refusal: packageOutOfStock }
    return { status: 'pending', price: pesewas(item.request.price), recipient: '0240000000', route: 'r', details: {} }
  },
  fork: (read) => ({ ...read }),
  take(item, read) {
    if (item.request.takesStock) read.stockLeft -= 1
  },
  write: () => Promise.resolve(),
}
const kinds: OrderKinds = new Map([['test', testKind as OrderKind]])

const accounts = ['a', 'b', 'c'] as const

function makeFacts(balances: readonly number[], stockLeft: number, suspended?: string): IntakeFacts {
  return {
    now: new Date('2026-01-01T00:00:00.000Z'),
    catalogueVersion: 1,
    accounts: new Map(
      accounts.map((id) => [id, { isSuspended: id === suspended, isPermanent: true, pricingRole: 'agent' as const }]),
    ),
    wallets: new Map(
      accounts.map((accountId, index) => [
        walletId({ accountId, purse: 'main' }),
        { balance: balances[index] ?? 0, lastEntryNo: 7 },
      ]),
    ),
    references: new Map(),
    orders: new Map(),
    reads: new Map([['test', { stockLeft }]]),
  }
}

let ids = 0
function item(
  accountId: string,
  reference: string,
  request: Partial<TestRequest> = {},
  repeatKey?: RepeatKey,
): OrderItem<TestRequest> {
  const full = { price: 100, takesStock: false, isRefused: false, ...request }
  return {
    orderId: `order-${++ids}`,
    accountId,
    kind: 'test',
    reference,
    ...(repeatKey ? { repeatKey } : {}),
    // In this model an account's own reference is only a key, as a bill's reference is: the body is not compared.
    fingerprint: repeatKey ? 'any request' : `${reference}:${JSON.stringify(full)}`,
    request: full,
  }
}

type Scope = 'shared' | 'account' | 'none'

function repeatKeyFor(scope: Scope, reference: string): RepeatKey | undefined {
  if (scope === 'shared') return undefined
  return scope === 'none' ? { scope } : { scope, service: 'bills', reference }
}

/** The key by which the model recognises a repeat. An item without such a key gets a text that no other item has. */
function modelKey({ accountId, reference, repeatKey, orderId }: OrderItem): string {
  if (!repeatKey) return reference
  return repeatKey.scope === 'none' ? orderId : `${accountId} own ${repeatKey.reference}`
}
const call = (...items: OrderItem[]): OrderCall => ({ accountId: items[0]?.accountId ?? '', items })

/** The simplest way to decide: one call at a time, with plain numbers. The batch must reach the same result. */
function decidePlainly(calls: readonly OrderCall[], balances: readonly number[], stock: number) {
  const balance = new Map<string, number>(accounts.map((id, index) => [id, balances[index] ?? 0]))
  const taken = new Map<string, { accountId: string; fingerprint: string; orderId: string }>()
  let stockLeft = stock
  const outcomes = calls.map(({ accountId, items }) => {
    const holderOf = (one: OrderItem) => taken.get(modelKey(one))
    if (items.some((one) => holderOf(one) && holderOf(one)?.fingerprint !== one.fingerprint)) return 'conflict'
    if (items.some((one) => holderOf(one) && holderOf(one)?.accountId !== accountId)) return 'conflict'
    const fresh = items.filter((one) => !holderOf(one)) as OrderItem<TestRequest>[]
    if (fresh.some((one) => one.request.isRefused)) return 'refused'
    if (fresh.filter((one) => one.request.takesStock).length > stockLeft) return 'refused'
    const cost = fresh.reduce((sum, one) => sum + one.request.price, 0)
    if (cost > (balance.get(accountId) ?? 0)) return 'poor'
    balance.set(accountId, (balance.get(accountId) ?? 0) - cost)
    stockLeft -= fresh.filter((one) => one.request.takesStock).length
    for (const one of fresh) taken.set(modelKey(one), one)
    return items.map((one) => holderOf(one)?.orderId)
  })
  return { outcomes, balance, stockLeft }
}

const arbitraryCalls = fc
  .array(
    fc.record({
      account: fc.constantFrom(...accounts),
      items: fc.uniqueArray(
        fc.record({
          reference: fc.integer({ min: 0, max: 12 }),
          price: fc.constantFrom(50, 100, 250),
          takesStock: fc.boolean(),
          scope: fc.constantFrom<Scope[]>('shared', 'account', 'none'),
        }),
        { minLength: 1, maxLength: 4, selector: (one) => `${one.scope} ${one.reference}` },
      ),
      refusesOne: fc.integer({ min: 0, max: 9 }),
    }),
    { maxLength: 25 },
  )
  .map((drafts) =>
    drafts.map((draft) =>
      call(
        ...draft.items.map(({ reference, scope, ...request }, index) =>
          item(
            draft.account,
            `ref-${reference}`,
            { ...request, isRefused: draft.refusesOne === 0 && index === 0 },
            repeatKeyFor(scope, `ref-${reference}`),
          ),
        ),
      ),
    ),
  )

describe('the decision of a batch', () => {
  it('agrees with deciding each call alone, in the order of arrival, whatever the calls', () => {
    fc.assert(
      fc.property(
        arbitraryCalls,
        fc.tuple(fc.integer({ min: 0, max: 1500 }), fc.integer({ min: 0, max: 1500 }), fc.constant(0)),
        fc.integer({ min: 0, max: 6 }),
        (calls, balances, stock) => {
          const facts = makeFacts(balances, stock)
          const { outcomes, newOrders } = decideCalls(calls, facts, kinds)
          const plain = decidePlainly(calls, balances, stock)
          const seen = outcomes.map((outcome) => {
            if (!('refusal' in outcome)) return outcome.placements.map((placement) => placement.order.id)
            if (outcome.refusal === refusals.referenceTaken) return 'conflict'
            return outcome.refusal === refusals.insufficientFunds ? 'poor' : 'refused'
          })
          expect(seen).toEqual(plain.outcomes)
          for (const accountId of accounts) {
            expect(facts.wallets.get(walletId({ accountId, purse: 'main' }))?.balance).toBe(plain.balance.get(accountId))
          }
          expect((facts.reads.get('test') as TestRead).stockLeft).toBe(plain.stockLeft)
          expect(new Set(newOrders.map((newOrder) => modelKey(newOrder.item))).size).toBe(newOrders.length)
        },
      ),
      { numRuns: 2_000 },
    )
  })

  it('never takes a wallet below zero and numbers its entries without a gap', () => {
    fc.assert(
      fc.property(arbitraryCalls, fc.integer({ min: 0, max: 600 }), (calls, balance) => {
        const { newOrders } = decideCalls(calls, makeFacts([balance, balance, balance], 100), kinds)
        for (const accountId of accounts) {
          const debits = newOrders.filter((newOrder) => newOrder.order.accountId === accountId).map((newOrder) => newOrder.debit)
          expect(debits.map((debit) => debit.fromEntryNo)).toEqual(debits.map((_, index) => 8 + index))
          let left = balance
          for (const debit of debits) {
            left -= debit.amount
            expect(debit.fromBalanceAfter).toBe(left)
          }
          expect(left).toBeGreaterThanOrEqual(0)
        }
      }),
    )
  })

  it('answers a repeat in the same batch with the first order and charges once', () => {
    const facts = makeFacts([100, 0, 0], 0)
    const { outcomes, newOrders } = decideCalls([call(item('a', 'r')), call(item('a', 'r'))], facts, kinds)
    expect(newOrders).toHaveLength(1)
    expect(outcomes[1]).toMatchObject({
      charged: 0,
      balance: 0,
      placements: [{ isReplay: true, order: { id: newOrders[0]?.order.id } }],
    })
  })

  it('recognises an order that its own lost commit placed: no replay, no second charge', () => {
    const facts = makeFacts([0, 0, 0], 0)
    const mine = item('a', 'r', { price: 100 })
    const { newOrders } = decideCalls([call(mine)], makeFacts([100, 0, 0], 0), kinds)
    facts.references.set('shared:r', { orderId: mine.orderId, accountId: 'a', kind: 'test', fingerprint: mine.fingerprint })
    facts.orders.set(mine.orderId, newOrders[0]?.order as never)
    const again = decideCalls([call(mine)], facts, kinds)
    expect(again.newOrders).toHaveLength(0)
    expect(again.outcomes[0]).toMatchObject({ charged: 100, balance: 0, placements: [{ isReplay: false }] })
  })

  it('recognises an order that its own lost commit placed by its id alone, when it has no reference', () => {
    const mine = item('a', 'made-by-us', { price: 100 }, { scope: 'none' })
    const { newOrders } = decideCalls([call(mine)], makeFacts([100, 0, 0], 0), kinds)
    const facts = makeFacts([0, 0, 0], 0)
    facts.orders.set(mine.orderId, newOrders[0]?.order as never)
    const again = decideCalls([call(mine)], facts, kinds)
    expect(again.newOrders).toHaveLength(0)
    expect(again.outcomes[0]).toMatchObject({ charged: 100, balance: 0, placements: [{ isReplay: false }] })
  })

  it('frees the reference of a refused call for a later one', () => {
    const { outcomes, newOrders } = decideCalls(
      [call(item('a', 'r', { isRefused: true })), call(item('b', 'r'))],
      makeFacts([500, 500, 0], 0),
      kinds,
    )
    expect(outcomes[0]).toHaveProperty('refusal', packageNotFound)
    expect(newOrders.map((newOrder) => newOrder.order.accountId)).toEqual(['b'])
  })

  it('answers 409 to another account and to another body, whatever else is wrong with the call', () => {
    const facts = makeFacts([500, 500, 500], 0)
    const { outcomes } = decideCalls(
      [
        call(item('a', 'r')),
        call(item('b', 'r')),
        call(item('a', 'r', { price: 99 })),
        call(item('a', 'x', { isRefused: true }), item('a', 'r', { price: 1 })),
      ],
      facts,
      kinds,
    )
    expect(outcomes.slice(1).map((outcome) => 'refusal' in outcome && outcome.refusal.status)).toEqual([409, 409, 409])
  })

  it('leaves a skipped item out of its call: the others are placed and charged, and its reference stays free', () => {
    const facts = makeFacts([250, 500, 0], 0)
    const { outcomes, newOrders } = decideCalls(
      [call(item('a', 'one'), item('a', 'two', { isSkipped: true }), item('a', 'three')), call(item('b', 'two'))],
      facts,
      kinds,
    )
    expect(outcomes[0]).toMatchObject({
      placements: [{ order: { reference: 'one' } }, { order: { reference: 'three' } }],
      skipped: [{ itemIndex: 1, refusal: numberNotRegistered }],
      charged: 200,
      balance: 50,
    })
    expect(outcomes[1]).toMatchObject({ placements: [{ order: { reference: 'two', accountId: 'b' } }], skipped: [] })
    expect(newOrders.map(({ order }) => order.reference)).toEqual(['one', 'three', 'two'])
  })

  it('refuses a whole call for one of its items, whatever another one is skipped for, and answers a replay instead of skipping it', () => {
    const facts = makeFacts([500, 0, 0], 0)
    const skipped = (reference: string) => item('a', reference, { isSkipped: true })
    const { outcomes } = decideCalls(
      [
        call(skipped('s'), item('a', 'r', { isRefused: true })),
        call(skipped('s'), skipped('t')),
        call(item('b', 'poor'), item('b', 's', { isSkipped: true })),
      ],
      facts,
      kinds,
    )
    expect(outcomes[0]).toHaveProperty('refusal', packageNotFound)
    expect(outcomes[1]).toMatchObject({
      placements: [],
      charged: 0,
      balance: 500,
      skipped: [{ itemIndex: 0 }, { itemIndex: 1 }],
    })
    expect(outcomes[2]).toHaveProperty('refusal', refusals.insufficientFunds)
    const held = skipped('held')
    const placed = decideCalls([call(item('a', 'held'))], makeFacts([500, 0, 0], 0), kinds).newOrders[0]
    facts.references.set('shared:held', { orderId: 'earlier', accountId: 'a', kind: 'test', fingerprint: held.fingerprint })
    facts.orders.set('earlier', placed?.order as never)
    expect(decideCalls([call(held)], facts, kinds).outcomes[0]).toMatchObject({ placements: [{ isReplay: true }], skipped: [] })
  })

  it('sells nothing to a suspended account but still answers its replays', () => {
    const facts = makeFacts([500, 0, 0], 0, 'a')
    const earlier = item('a', 'r')
    const placed = decideCalls([call(earlier)], makeFacts([500, 0, 0], 0), kinds).newOrders[0]
    facts.references.set('shared:r', { orderId: earlier.orderId, accountId: 'a', kind: 'test', fingerprint: earlier.fingerprint })
    facts.orders.set(earlier.orderId, placed?.order as never)
    const { outcomes } = decideCalls([call(item('a', 'r')), call(item('a', 'new'))], facts, kinds)
    expect(outcomes[0]).toMatchObject({ placements: [{ isReplay: true }] })
    expect(outcomes[1]).toHaveProperty('refusal', refusals.accountSuspended)
  })
})
