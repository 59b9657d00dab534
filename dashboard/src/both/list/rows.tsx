import type { ReactNode } from 'react'
import { Link } from 'wouter'
import css from './rows.module.css'

export function Rows({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <ul className={css.rows} aria-label={label}>
      {children}
    </ul>
  )
}

type RowProps = {
  /** The most important fact, in bold. */
  readonly title: ReactNode
  /** Further facts, small. */
  readonly detail?: ReactNode
  /** Shown at the right of the row: an amount, a state, the next step. */
  readonly end?: ReactNode
  /** The address that a tap on the row opens. */
  readonly href?: string
}

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
