import { useState } from 'react'
import { groupDigits } from '../../both/phones.ts'
import { buyWords } from '../words/buy.ts'
import css from './buy.module.css'
import type { Recipient } from './kept-purchases.ts'

const firstLines = 3

/** Shows in large figures who gets a purchase. Of many, the count and the first ones; a tap shows all. */
export function Recipients({ to }: { readonly to: readonly Recipient[] }) {
  const [isAll, setAll] = useState(false)
  const [first] = to
  if (!first) return null
  if (to.length === 1) {
    return (
      <p className={css.recipient}>
        {groupDigits(first.number)}, <span>{first.detail}</span>
      </p>
    )
  }
  return (
    <>
      <p className={css.recipient}>{buyWords.count(to.length)}</p>
      <ul className={css.recipients}>
        {(isAll ? to : to.slice(0, firstLines)).map(({ number, detail }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: one number can be there twice, and the list never changes its order.
          <li key={index}>
            <b>{groupDigits(number)}</b> {detail}
          </li>
        ))}
      </ul>
      {!isAll && to.length > firstLines && (
        <button type="button" className={css.step} onClick={() => setAll(true)}>
          {buyWords.showAll(to.length)}
        </button>
      )}
    </>
  )
}
