import type { Schema } from '../../both/api/call-api.ts'
import { formatGhs } from '../../both/money/format-ghs.ts'
import { groupDigits } from '../../both/phones.ts'
import { priceWords } from '../words/prices.ts'
import { bundleItem, type Goods, type OwnPrice, ownPriceOf } from './own-price-of.ts'

/** Something that can have a price of its own: a bundle or a kind of voucher. */
export type PricedItem = Goods & {
  /** The network, or the product. */
  readonly group: string
  readonly label: string
}

export function itemsOfShops(data: Schema<'DataShop'>, vouchers: Schema<'VoucherShop'> | undefined): PricedItem[] {
  const bundles = data.packages.map(({ network, volume_gb, price }) => ({
    product: 'data',
    item: bundleItem(network, volume_gb),
    cost: price,
    group: network,
    label: `${volume_gb} GB`,
  }))
  const types = (vouchers?.types ?? []).filter(({ is_active }) => is_active)
  return [
    ...bundles,
    ...types.map(({ name, price }) => ({
      product: 'results_checker',
      item: name,
      cost: price,
      group: priceWords.products.results_checker,
      label: name,
    })),
  ]
}

/** A price list for customers: all goods with an own price, by group. Customers must not see the costs, so it has none. */
export type PriceList = {
  readonly shop: string
  readonly contact: string | undefined
  readonly groups: readonly { readonly name: string; readonly lines: readonly (readonly [label: string, price: string])[] }[]
}

export function priceListOf(
  items: readonly PricedItem[],
  prices: readonly OwnPrice[],
  { name, phone }: Pick<Schema<'Shop'>, 'name' | 'phone'>,
): PriceList {
  const lines = items.flatMap((item) => {
    const price = ownPriceOf(prices, item)
    return price === undefined ? [] : [{ group: item.group, line: [item.label, formatGhs(price)] as const }]
  })
  const groups = [...new Set(lines.map(({ group }) => group))]
  return {
    shop: name,
    contact: phone === null ? undefined : priceWords.call(groupDigits(phone)),
    groups: groups.map((group) => ({ name: group, lines: lines.flatMap((each) => (each.group === group ? [each.line] : [])) })),
  }
}

/** The list as a text for a chat. */
export const textOfList = ({ shop, contact, groups }: PriceList): string =>
  [
    `*${shop}*`,
    ...groups.map(({ name, lines }) => [name, ...lines.map(([label, price]) => `${label}: ${price}`)].join('\n')),
    ...(contact === undefined ? [] : [contact]),
  ].join('\n\n')
