import type { Schema } from '../../both/api/call-api.ts'
import { ghsOf, pesewasOf } from '../../both/money/format-ghs.ts'

export type OwnPrice = Schema<'OwnPrice'>

/** Goods, named as in own prices: product `data`, item `MTN 5GB`. */
export type Goods = {
  readonly product: string
  readonly item: string
  /** The cost of all of them together, in GHS. */
  readonly cost: number
  readonly quantity?: number
}

/** The item of a bundle, as orders and own prices name it. */
export const bundleItem = (network: string, gigabytes: number): string => `${network} ${gigabytes}GB`

/** The rule for goods: that of the item, or else that of its product. */
export const ownRuleOf = (prices: readonly OwnPrice[], { product, item }: Pick<Goods, 'product' | 'item'>) =>
  prices.find((each) => each.product === product && each.item === item) ??
  prices.find((each) => each.product === product && each.item === '')

/**
 * The reseller's own price for goods, in GHS; undefined without a rule. The server calculates the same for orders
 * (`server/src/reselling/prices/own-price.ts`): a price with a percentage is rounded up to 10 pesewas.
 */
export function ownPriceOf(prices: readonly OwnPrice[], goods: Goods): number | undefined {
  const { cost, quantity = 1 } = goods
  const rule = ownRuleOf(prices, goods)
  if (rule?.price != null) return ghsOf(pesewasOf(rule.price) * quantity)
  if (rule?.add != null) return ghsOf(pesewasOf(cost) + pesewasOf(rule.add) * quantity)
  if (rule?.percent == null) return undefined
  return ghsOf(Math.ceil((pesewasOf(cost) * (10_000 + Math.round(rule.percent * 100))) / 100_000) * 10)
}

/** The reseller's price of these goods, and the profit of their sale, in GHS. Undefined where one of them has no own price. */
export function earningOf(prices: readonly OwnPrice[], goods: readonly Goods[]) {
  const asked = goods.map((each) => ownPriceOf(prices, each))
  if (asked.length === 0 || asked.includes(undefined)) return undefined
  const sum = (amounts: readonly number[]) => ghsOf(amounts.reduce((total, amount) => total + pesewasOf(amount), 0))
  const price = sum(asked as number[])
  return { price, profit: ghsOf(pesewasOf(price) - pesewasOf(sum(goods.map(({ cost }) => cost)))) }
}
