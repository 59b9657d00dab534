import { sql } from 'kysely'

/** The goods of an order as own prices name them, such as `MTN 5GB`; empty for a product without varieties. */
const itemOfOrder = sql<string>`concat_ws(' ', coalesce(details ->> 'network', details ->> 'biller'),
  coalesce(details ->> 'size', details ->> 'typeName'))`

/** Units of an order. Only an order of vouchers has several. */
const quantityOfOrder = sql<number>`coalesce((details ->> 'quantity')::int, 1)`

/** The rule that was in force for an order when it was placed: that of its goods, or else that of its product. */
export const ownRuleOfOrder = sql`
  left join lateral (
    select rule, value from own_prices
    where own_prices.account_id = orders.account_id and product = orders.kind and item in ('', ${itemOfOrder})
      and valid_from <= orders.created_at and (valid_until is null or valid_until > orders.created_at)
    order by item desc limit 1
  ) own on true`

/**
 * What the reseller asked its customer for, in pesewas; null without a rule. A price with a percentage is rounded up to 10
 * pesewas, because nobody pays GHS 17.37 in cash. The app calculates the same in `own-price-of.ts`.
 */
export const ownPriceOfOrder = sql<number | null>`(case own.rule
  when 'price' then own.value * ${quantityOfOrder}
  when 'add' then orders.price + own.value * ${quantityOfOrder}
  when 'percent' then (orders.price * (10000 + own.value) + 99999) / 100000 * 10
end)`

/** The orders whose money the reseller keeps: neither refunded nor about to be. SMS are paid in credits. */
export const isSale = sql<boolean>`orders.kind <> 'sms' and orders.status not in ('failed', 'refunded', 'cancelled')`
