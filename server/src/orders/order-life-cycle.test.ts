import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { products } from '../products/products.ts'
import { isEnded, isLegalMove, isManualMove, type OrderStatus, orderMoves } from './order-life-cycle.ts'
import { productOf } from './product-facts.ts'

const statuses = Object.keys(orderMoves) as OrderStatus[]
const kinds = products.map(({ name }) => name)
const soldAs = (kind: string) => productOf(products, kind)
const finalStatuses: readonly OrderStatus[] = ['completed', 'refunded', 'cancelled']

const statusOf = fc.constantFrom(...statuses)
const wishOf = fc.record({ to: statusOf, byPeople: fc.boolean() })

describe('the life cycle of an order', () => {
  it('lets no process move an order out of a final state, whatever its kind', () => {
    for (const from of finalStatuses) for (const to of statuses) expect(isLegalMove(from, to)).toBe(false)
  })

  it('lets two people move a completed order of vouchers to refunded, and nothing else (F5)', () => {
    const allowed = kinds.flatMap((kind) =>
      statuses.flatMap((from) =>
        statuses.filter((to) => isManualMove(soldAs(kind), from, to)).map((to) => `${kind}: ${from} to ${to}`),
      ),
    )
    expect(allowed).toEqual(['results_checker: completed to refunded'])
  })

  it('never lets an order come back from a final state, in whatever order processes and people wish for moves', () => {
    fc.assert(
      fc.property(fc.constantFrom(...kinds), statusOf, fc.array(wishOf, { maxLength: 40 }), (kind, first, wishes) => {
        let status = first
        const seen = [first]
        for (const { to, byPeople } of wishes) {
          if (!(byPeople ? isManualMove(soldAs(kind), status, to) : isLegalMove(status, to))) continue
          const mayLeave = kind === 'results_checker' && status === 'completed' && byPeople
          expect(finalStatuses.includes(status) && !mayLeave).toBe(false)
          // An order that has ended is never open again. Only a refund may follow.
          expect(!isEnded(status) || to === 'refunded').toBe(true)
          status = to
          seen.push(to)
        }
        expect(seen.filter((one) => one === 'refunded').length).toBeLessThanOrEqual(1)
      }),
      { numRuns: 2_000 },
    )
  })
})
