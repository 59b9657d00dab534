import { Children, type ReactNode } from 'react'
import { Link } from 'wouter'
import { Empty, type EmptyWords } from '../layout/query-states.tsx'
import css from './rows.module.css'

type RowsProps = {
  readonly label: string
  /** Shown in place of the list when there is no row. */
  readonly empty?: EmptyWords
  readonly children: ReactNode
}

export function Rows({ label, empty, children }: RowsProps) {
  if (empty && Children.count(children) === 0) return <Empty title={empty.title}>{empty.next}</Empty>
  return (
    <ul className={css.rows} aria-label={label}>
      {children}
    </ul>
  )
}

type RowProps = {
  /** Shown before the title: a drawing. */
  readonly start?: ReactNode
  /** The most important fact, in bold. */
  readonly title: ReactNode
  /** Further facts, small. */
  readonly detail?: ReactNode | undefined
  /** Shown at the right of the row: an amount, a state, the next step. */
  readonly end?: ReactNode
  /** The address that a tap on the row opens. */
  readonly href?: string
}

export function Row({ start, title, detail, end, href }: RowProps) {
  const text = (
    <>
      {start}
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
