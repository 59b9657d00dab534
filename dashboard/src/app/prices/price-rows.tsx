import { useState } from 'react'
import { Choices } from '../../both/list/choices.tsx'
import { AmountField } from '../../both/money/amount-field.tsx'
import { formatGhs } from '../../both/money/format-ghs.ts'
import { cedisOrNone, readAmount } from '../../both/money/read-amount.ts'
import { priceWords } from '../words/prices.ts'
import { earningOf, type OwnPrice, ownPriceOf } from './own-price-of.ts'
import type { PricedItem } from './priced-items.ts'
import css from './prices.module.css'

/** Says what a sale earns or, at a price below the cost, loses. */
export function earnWords(profit: number): string {
  return profit < 0 ? priceWords.lose(formatGhs(-profit)) : priceWords.earn(formatGhs(profit))
}

type RowProps = {
  readonly item: PricedItem
  /** The rules as they are typed, without a price of this item. */
  readonly rules: readonly OwnPrice[]
  readonly text: string
  readonly mayChange: boolean
  readonly onText: (text: string) => void
}

function PriceRow({ item, rules, text, mayChange, onText }: RowProps) {
  const { product, label, group, cost } = item
  const typed = readAmount(text, cedisOrNone).amount
  const byRule = ownPriceOf(rules, item)
  const own = { product, item: item.item, price: typed ?? null, add: null, percent: null }
  const earning = earningOf(typed === undefined ? rules : [own, ...rules], [item])
  return (
    <li className={css.price}>
      <div>
        <b>{label}</b>
        <span className="soft">{priceWords.costs(formatGhs(cost))}</span>
        {earning && <span className={earning.profit < 0 ? css.loss : css.earns}>{earnWords(earning.profit)}</span>}
      </div>
      {mayChange ? (
        <AmountField
          kind={cedisOrNone}
          className={css.field ?? ''}
          aria-label={priceWords.priceOf(`${group} ${label}`)}
          placeholder={byRule?.toFixed(2) ?? ''}
          text={text}
          onText={onText}
        />
      ) : (
        earning && <b>{formatGhs(earning.price)}</b>
      )}
    </li>
  )
}

type Props = Pick<RowProps, 'rules' | 'mayChange'> & {
  readonly items: readonly PricedItem[]
  readonly textOf: (item: PricedItem) => string
  readonly onText: (item: PricedItem, text: string) => void
}

/** The bundles and vouchers with their costs and own prices, a network at a time. */
export function PriceRows({ items, rules, mayChange, textOf, onText }: Props) {
  const groups = [...new Set(items.map(({ group }) => group))]
  const [chosen, choose] = useState(groups[0] ?? '')
  return (
    <>
      <Choices
        label={priceWords.packages}
        value={chosen}
        options={groups.map((group) => ({ value: group, label: group }))}
        onChoose={choose}
      />
      <ul className={css.prices} aria-label={chosen}>
        {items
          .filter(({ group }) => group === chosen)
          .map((item) => (
            <PriceRow
              key={item.item}
              item={item}
              rules={rules}
              mayChange={mayChange}
              text={textOf(item)}
              onText={(text) => onText(item, text)}
            />
          ))}
      </ul>
    </>
  )
}
