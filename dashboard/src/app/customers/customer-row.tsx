import { Button } from '@mantine/core'
import { Link } from 'wouter'
import type { Schema } from '../../both/api/call-api.ts'
import { goodsWords } from '../../both/goods-words.ts'
import { Row } from '../../both/list/rows.tsx'
import { relativeMoment } from '../../both/moments/format-moment.ts'
import { groupDigits } from '../../both/phones.ts'
import { canBuyAgain, useBuyAgain } from '../buy-again.ts'
import { useMay } from '../me.ts'
import { customerWords } from '../words/customers.ts'
import css from './customers.module.css'

type Customer = Schema<'Customer'>

/** A customer with the last purchase. One tap opens the form to repeat it. */
export function CustomerRow({ customer }: { readonly customer: Customer }) {
  const { customer_id: id, name, numbers, is_favourite: isFavourite, last } = customer
  const buyAgain = useBuyAgain()
  const mayBuy = useMay('buy')
  const bought = last && customerWords.last(goodsWords(last), relativeMoment(last.at))
  return (
    <Row
      title={
        <Link href={`/customers/${id}`} className={css.name}>
          {isFavourite && (
            <svg viewBox="0 0 24 24" role="img" aria-label={customerWords.isFavourite} className={css.star}>
              <path d="M12 2.5l2.9 6 6.6.9-4.8 4.6 1.2 6.5-5.9-3.2-5.9 3.2 1.2-6.5L2.5 9.4l6.6-.9z" />
            </svg>
          )}
          {name}
        </Link>
      }
      detail={
        <>
          <span className={css.line}>{numbers.map(groupDigits).join(', ')}</span>
          {bought && <span className={css.line}>{bought}</span>}
        </>
      }
      end={
        mayBuy &&
        last &&
        canBuyAgain(last) && (
          <Button variant="light" aria-label={customerWords.buyAgainFor(name)} onClick={() => buyAgain(last)}>
            {customerWords.buyAgain}
          </Button>
        )
      }
    />
  )
}
