import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { fieldWords } from '../../both/field-words.ts'
import { Page } from '../../both/layout/page.tsx'
import { formatGhs } from '../../both/money/format-ghs.ts'
import { buyWords } from '../words/buy.ts'
import css from './buy.module.css'

export type Product = keyof typeof buyWords.products

export const addressOf = (product: Product): string => (product === 'data' ? '/buy' : `/buy/${product}`)

const products = Object.keys(buyWords.products) as Product[]

type Props = {
  readonly product: Product
  /** The balance of the wallet, in GHS; undefined until it is known. */
  readonly balance?: number | undefined
  readonly foot?: ReactNode
  readonly children: ReactNode
}

/** A screen under Buy: its title, the wallet, and the way to the other products. */
export function BuyPage({ product, balance, foot, children }: Props) {
  return (
    <Page
      title={buyWords.titles[product]}
      end={balance === undefined ? undefined : <output aria-label={fieldWords.balance}>{formatGhs(balance)}</output>}
      foot={foot}
    >
      <nav aria-label={buyWords.what} className={css.products}>
        {products.map((each) => (
          <Link
            key={each}
            href={addressOf(each)}
            className={`${css.chip} ${each === product ? css.on : ''}`}
            aria-current={each === product ? 'page' : undefined}
          >
            {buyWords.products[each]}
          </Link>
        ))}
      </nav>
      {children}
    </Page>
  )
}
