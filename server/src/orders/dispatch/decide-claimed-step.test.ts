import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Supplier } from '../../suppliers/ports.ts'
import type { Route } from '../../suppliers/route-ports.ts'
import type { Attempt } from '../attempt.ts'
import { begunAt, freshAttempt } from '../settlement/answered-attempt.fixture.ts'
import { supplierToAskFirst } from './ask-first.ts'
import { type ClaimedFacts, decideClaimedStep } from './decide-claimed-step.ts'

const attempt: Attempt = { ...freshAttempt, sendBeforeAt: begunAt }
const supplier = {
  resendClass: 'returns-original',
  resendSafeSeconds: null,
  needsItsOwnReference: false,
  callbackIsProof: false,
} as const
const facts: ClaimedFacts = {
  status: 'pending',
  attempt: null,
  supplier,
  route: 'open',
  isOffered: true,
  otherRoutes: [],
  claimedAt: new Date(begunAt.getTime() + 3_600_000),
}

describe('an order that was never sent', () => {
  test('is sent on an open route', () => {
    expect(decideClaimedStep(facts)).toEqual({ do: 'send' })
  })
  test('is asked about first where history may have lost a send, at each supplier of its network that can be asked', () => {
    expect(decideClaimedStep({ ...facts, toAskFirst: 'second' })).toEqual({ do: 'ask_first', supplier: 'second' })
    const routeOf = (supplier: string, network = 'MTN') => ({ supplier, network, product: 'data' }) as Route
    const routes = { list: () => [routeOf('stub'), routeOf('other', 'AT'), routeOf('mute'), routeOf('gone'), routeOf('second')] }
    const find = (name: string) => (name === 'gone' ? undefined : ({ statusNeedsSupplierReference: name === 'mute' } as Supplier))
    const next = (onlyAskedSuppliers?: string[]) =>
      supplierToAskFirst(
        { routes, registry: { find } },
        { route: 'stub/data/MTN', ...(onlyAskedSuppliers && { onlyAskedSuppliers }) },
      )
    expect([next(), next([]), next(['stub']), next(['stub', 'second'])]).toEqual([undefined, 'stub', 'second', undefined])
  })
  test.each(['paused', 'missing'] as const)('moves to another open route when its own is %s', (route) => {
    expect(decideClaimedStep({ ...facts, route, otherRoutes: ['second/data/MTN'] })).toEqual({
      do: 'reroute',
      route: 'second/data/MTN',
    })
  })
  test.each(['open', 'paused'] as const)(
    'is neither sent to nor held for a supplier that does not offer it, route %s',
    (route) => {
      const unoffered = { ...facts, route, isOffered: false }
      expect(decideClaimedStep(unoffered)).toMatchObject({ do: 'hold', holdReason: 'not_offered' })
      expect(decideClaimedStep({ ...unoffered, otherRoutes: ['second/data/MTN'] })).toMatchObject({ do: 'reroute' })
    },
  )
  test('waits while its route is paused and there is no other', () => {
    expect(decideClaimedStep({ ...facts, route: 'paused' })).toMatchObject({ do: 'hold', holdReason: 'route_paused' })
  })
  test('waits for a person when its route was deleted or its supplier is gone', () => {
    expect(decideClaimedStep({ ...facts, route: 'missing' })).toMatchObject({ do: 'hold', holdReason: 'route_missing' })
    expect(decideClaimedStep({ ...facts, supplier: undefined })).toMatchObject({ do: 'hold', holdReason: 'supplier_missing' })
  })
  test('is not sent while its number waits for registration', () => {
    expect(decideClaimedStep({ ...facts, status: 'queued' })).toMatchObject({ do: 'hold', holdReason: 'not_registered' })
  })
})

describe('an order with an open attempt', () => {
  const open = { ...facts, status: 'processing', attempt } as const
  test.each(['open', 'paused', 'missing'] as const)('is asked about while its route is %s', (route) => {
    expect(decideClaimedStep({ ...open, route })).toEqual({ do: 'ask', by: 'status' })
  })
  test.each(['returns-original', 'rejects-duplicate'] as const)(
    'is asked about by the same reference where only theirs is looked up and %s',
    (resendClass) => {
      const decided = decideClaimedStep({ ...open, supplier: { ...supplier, resendClass, needsItsOwnReference: true } })
      expect(decided).toEqual({ do: 'ask', by: 'resend' })
    },
  )
  test('is looked up once the supplier has given its own reference', () => {
    const known = { ...attempt, supplierReference: 'T-1' }
    expect(decideClaimedStep({ ...open, attempt: known, supplier: { ...supplier, needsItsOwnReference: true } })).toEqual({
      do: 'ask',
      by: 'status',
    })
  })
  test.each(['undocumented', 'none'] as const)('is never sent again where the meaning of that is %s', (resendClass) => {
    const decided = decideClaimedStep({ ...open, supplier: { ...supplier, resendClass, needsItsOwnReference: true } })
    expect(decided).toMatchObject({ do: 'hold', holdReason: 'cannot_ask' })
  })
  const told = (...meanings: ('delivered' | 'failed')[]) => ({
    ...attempt,
    callbackAnswers: meanings.map((meaning) => ({ meaning, evidence: `told ${meaning}`, supplierReference: null })),
  })
  const proving = { ...supplier, callbackIsProof: true }
  test.each(['delivered', 'failed'] as const)('is asked about no more once a callback that is proof has said %s', (meaning) => {
    for (const route of ['open', 'paused', 'missing'] as const) {
      const step = decideClaimedStep({ ...open, route, attempt: told(meaning, meaning), supplier: proving })
      expect(step).toEqual({ do: 'ask', by: 'callback' })
    }
  })
  test('is asked about all the same while callbacks deny each other, or are hints only', () => {
    const status = { do: 'ask', by: 'status' }
    expect(decideClaimedStep({ ...open, attempt: told('failed', 'delivered'), supplier: proving })).toEqual(status)
    expect(decideClaimedStep({ ...open, attempt: told('delivered'), supplier })).toEqual(status)
    expect(decideClaimedStep({ ...open, supplier: proving })).toEqual(status)
  })
  test('is not sent again after the time for which the supplier remembers references', () => {
    const forgetful = { ...supplier, needsItsOwnReference: true, resendSafeSeconds: 3_600 }
    expect(decideClaimedStep({ ...open, supplier: forgetful })).toMatchObject({ do: 'hold', holdReason: 'cannot_ask' })
  })
})

test('an open attempt never leads to a new one, and an ended order to nothing at all', () => {
  const any = fc.record<ClaimedFacts>({
    status: fc.constantFrom('queued', 'pending', 'processing', 'completed', 'failed', 'refunded', 'cancelled'),
    attempt: fc.option(
      fc.array(fc.constantFrom('delivered' as const, 'failed' as const), { maxLength: 3 }).map((told): Attempt => {
        const callbackAnswers = told.map((meaning) => ({ meaning, evidence: 'told', supplierReference: null }))
        return { ...attempt, callbackAnswers }
      }),
      { nil: null },
    ),
    supplier: fc.option(
      fc.record({
        resendClass: fc.constantFrom('returns-original', 'rejects-duplicate', 'undocumented', 'none'),
        resendSafeSeconds: fc.option(fc.integer({ min: 0, max: 7_200 }), { nil: null }),
        needsItsOwnReference: fc.boolean(),
        callbackIsProof: fc.boolean(),
      }),
      { nil: undefined },
    ),
    route: fc.constantFrom('open', 'paused', 'missing'),
    isOffered: fc.boolean(),
    otherRoutes: fc.constantFrom<string[]>([], ['second/data/MTN']),
    claimedAt: fc.constant(facts.claimedAt),
  })
  fc.assert(
    fc.property(any, (given) => {
      const step = decideClaimedStep(given)
      const isEnded = ['completed', 'failed', 'refunded', 'cancelled'].includes(given.status)
      expect(step.do === 'close').toBe(isEnded)
      expect(given.attempt !== null && ['send', 'reroute'].includes(step.do)).toBe(false)
      expect(given.status === 'queued' && !given.attempt && step.do !== 'hold').toBe(false)
    }),
  )
})
