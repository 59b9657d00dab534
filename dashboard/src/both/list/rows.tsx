import type { ReactNode } from 'react'
import { Link } from 'wouter'
import css from './rows.module.css'

/** Rows of a card, one below the other. */
export function Rows({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <ul className={css.rows} aria-label={label}>
      {children}
    </ul>
  )
}

type RowProps = {
  /** The one thing that matters, in bold. */
  readonly title: ReactNode
  /** What else there is to say, small. */
  readonly detail?: ReactNode
  /** What stands at the right of the row: an amount, a state, the next step. */
  readonly end?: ReactNode
  /** Where a tap on the row leads. */
  readonly href?: string
}

/** One row: the title in bold, a detail below it, and an end at the right. */
export function Row({ title, detail, end, href }: RowProps) {
  const text = (
    <>
      <span className={css.text}>
        <b className={css.title}>{title}</b>
        {detail !== undefined && <span className={css.detail}>{detail}</span>}
      </span>
      {end !== undefined && <span className={css.end}>{end}</span>}
    </>
  )
  return (
    <li>
      {href === undefined ? (
        <div className={css.row}>{text}</div>
      ) : (
        <Link href={href} className={`${css.row} ${css.link}`}>
          {text}
        </Link>
      )}
    </li>
  )
}
