import { expect, it } from 'vitest'
import { earningOf, type OwnPrice, ownPriceOf } from './own-price-of.ts'

const rule = (product: string, item: string, more: Partial<OwnPrice>): OwnPrice => ({
  product,
  item,
  price: null,
  add: null,
  percent: null,
  ...more,
})

const prices = [
  rule('data', '', { percent: 10 }),
  rule('data', 'MTN 5GB', { price: 18.5 }),
  rule('results_checker', 'WASSCE', { add: 1.25 }),
  rule('airtime', 'MTN', { percent: 2.5 }),
]

it.each([
  [{ product: 'data', item: 'MTN 5GB', cost: 17.2 }, 18.5],
  [{ product: 'data', item: 'MTN 6GB', cost: 17.23 }, 19],
  [{ product: 'data', item: 'MTN 1GB', cost: 10 }, 11],
  [{ product: 'results_checker', item: 'WASSCE', cost: 30, quantity: 2 }, 32.5],
  [{ product: 'airtime', item: 'MTN', cost: 10 }, 10.3],
  [{ product: 'airtime', item: 'Telecel', cost: 10 }, undefined],
])('%o is sold for %s, as the server calculates it', (goods, price) => {
  expect(ownPriceOf(prices, goods)).toBe(price)
})

it('earns nothing that is known where one of the goods has no own price', () => {
  const bundle = { product: 'data', item: 'MTN 5GB', cost: 17.2 }
  expect(earningOf(prices, [bundle, bundle])).toEqual({ price: 37, profit: 2.6 })
  expect(earningOf(prices, [bundle, { product: 'airtime', item: 'Telecel', cost: 10 }])).toBeUndefined()
  expect(earningOf(prices, [])).toBeUndefined()
})
