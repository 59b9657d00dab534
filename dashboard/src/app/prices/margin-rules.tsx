import { NativeSelect } from '@mantine/core'
import { AmountField } from '../../both/money/amount-field.tsx'
import { cedisOrNone, percentAboveNone, readAmount } from '../../both/money/read-amount.ts'
import { priceWords } from '../words/prices.ts'
import type { OwnPrice } from './own-price-of.ts'
import css from './prices.module.css'

type RuleKind = keyof typeof priceWords.kinds
export type TypedRule = { readonly kind: RuleKind; readonly text: string }

export const ruledProducts = Object.keys(priceWords.products) as (keyof typeof priceWords.products)[]

/** The server accepts at most 500%. */
const percentOnTop = { ...percentAboveNone, most: 500 }
const amountKinds = { percent: percentOnTop, add: cedisOrNone }

export function typedRuleOf(prices: readonly OwnPrice[], product: string): TypedRule {
  const rule = prices.find((each) => each.product === product && each.item === '')
  if (rule?.percent != null) return { kind: 'percent', text: String(rule.percent) }
  return rule?.add == null ? { kind: 'none', text: '' } : { kind: 'add', text: rule.add.toFixed(2) }
}

/** The rule to send. @returns undefined while its number is missing or refused */
export function ruleOfTyped(product: string, { kind, text }: TypedRule): OwnPrice | undefined {
  const none = { product, item: '', price: null, add: null, percent: null }
  if (kind === 'none') return none
  const { amount } = readAmount(text, amountKinds[kind])
  return amount === undefined ? undefined : { ...none, [kind]: amount }
}

type Props = {
  readonly ruleOf: (product: string) => TypedRule
  readonly onRule: (product: string, rule: TypedRule) => void
}

/** One rule per product: the amount or percentage that is added to the cost of items without a price of their own. */
export function MarginRules({ ruleOf, onRule }: Props) {
  return (
    <ul className={css.prices} aria-label={priceWords.rules}>
      {ruledProducts.map((product) => {
        const name = priceWords.products[product]
        const { kind, text } = ruleOf(product)
        return (
          <li key={product} className={css.rule}>
            <b>{name}</b>
            <NativeSelect
              aria-label={priceWords.ruleOf(name)}
              data={Object.entries(priceWords.kinds).map(([value, label]) => ({ value, label }))}
              value={kind}
              onChange={({ currentTarget }) => onRule(product, { kind: currentTarget.value as RuleKind, text })}
            />
            {kind !== 'none' && (
              <AmountField
                kind={amountKinds[kind]}
                className={css.field ?? ''}
                aria-label={priceWords.onTop(name)}
                text={text}
                onText={(typed) => onRule(product, { kind, text: typed })}
              />
            )}
          </li>
        )
      })}
    </ul>
  )
}
