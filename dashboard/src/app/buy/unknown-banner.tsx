import { Button } from '@mantine/core'
import { Link, useLocation } from 'wouter'
import { Card } from '../../both/layout/page.tsx'
import { groupDigits } from '../../both/phones.ts'
import { buyWords } from '../words/buy.ts'
import css from './buy.module.css'
import { goodsAndAmount, type ShownPurchase, useKeptPurchases } from './kept-purchases.ts'

const namedMax = 3

/** The first recipients' numbers, and how many others there are. */
function namesOf(to: ShownPurchase['to']): string {
  const named = to.slice(0, namedMax).map(({ number }) => groupDigits(number))
  return [...named, ...(to.length > namedMax ? [buyWords.others(to.length - namedMax)] : [])].join(', ')
}

/**
 * Shows, on every screen, the purchases whose outcome is unknown. A product's own screen shows its purchase in full instead.
 */
export default function UnknownBanner() {
  const { all } = useKeptPurchases()
  const [address] = useLocation()
  return all
    .map((kept) => ({ ...kept, href: kept.product === 'data' ? '/buy' : `/buy/${kept.product}` }))
    .filter(({ product, href }) => address !== href && address !== `/buy/${product}`)
    .map(({ product, shown, href }) => (
      <div key={product} role="status" className={css.banner}>
        <Card tone="gold">
          <b>{buyWords.unknownTitle}</b>
          <p>{goodsAndAmount(shown)}</p>
          {shown.to.length > 0 && <p>{namesOf(shown.to)}</p>}
          <Button component={Link} href={href} mt={8}>
            {buyWords.askAgain}
          </Button>
        </Card>
      </div>
    ))
}
