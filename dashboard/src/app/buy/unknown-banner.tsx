import { Button } from '@mantine/core'
import { Link, useLocation } from 'wouter'
import { Card } from '../../both/layout/page.tsx'
import { formatGhs } from '../../both/money/format-ghs.ts'
import { showPhone } from '../../both/phones.ts'
import { frameWords } from '../words/frame.ts'
import css from './buy.module.css'
import { type ShownPurchase, useKeptPurchases } from './kept-purchases.ts'

/** The goods and the amount: `2 × MTN 5 GB, GHS 37.00`. */
export const goodsOf = ({ what, amount }: ShownPurchase): string => `${what}, ${formatGhs(amount)}`

const namedMax = 3

/** The numbers that get it, the first of many by name. */
function namesOf(to: ShownPurchase['to']): string {
  const named = to.slice(0, namedMax).map(({ number }) => showPhone(number))
  return [...named, ...(to.length > namedMax ? [frameWords.others(to.length - namedMax)] : [])].join(', ')
}

/** On every screen, the purchases whose outcome is not known. The product's own screen shows it in full instead. */
export function UnknownBanner() {
  const { all } = useKeptPurchases()
  const [address] = useLocation()
  return all
    .map((kept) => ({ ...kept, href: kept.product === 'data' ? '/buy' : `/buy/${kept.product}` }))
    .filter(({ href }) => href !== address)
    .map(({ product, shown, href }) => (
      <div key={product} role="status" className={css.banner}>
        <Card tone="gold">
          <b>{frameWords.unknownTitle}</b>
          <p>{goodsOf(shown)}</p>
          {shown.to.length > 0 && <p>{namesOf(shown.to)}</p>}
          <Button component={Link} href={href} mt={8}>
            {frameWords.askAgain}
          </Button>
        </Card>
      </div>
    ))
}
