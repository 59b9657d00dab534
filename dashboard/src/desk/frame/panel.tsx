import type { ReactNode } from 'react'
import { inWords } from '../../both/in-words.ts'
import { type FactValues, Facts as SharedFacts } from '../../both/layout/facts.tsx'
import css from './panel.module.css'

type PanelProps = {
  /** The most important fact. */
  readonly title: ReactNode
  readonly state?: ReactNode
  readonly detail?: ReactNode
  readonly children: ReactNode
}

/** The panel beside a list, about its chosen row. */
export function Panel({ title, state, detail, children }: PanelProps) {
  return (
    <div className={css.panel}>
      <div className={css.head}>
        <h2 className={css.title}>{title}</h2>
        {state}
      </div>
      {detail !== undefined && <div className={css.detail}>{detail}</div>}
      {children}
    </div>
  )
}

export function Facts(props: { readonly label: string; readonly facts: FactValues }) {
  return <SharedFacts {...props} isLined />
}

type ChangeProps = { readonly before: string; readonly after: string; readonly isBig?: boolean }

export function BeforeAfter({ before, after, isBig }: ChangeProps) {
  return (
    <span className={`${css.change} ${isBig ? css.bigChange : ''}`}>
      <span className={css.before}>{inWords(before)}</span>
      <svg viewBox="0 0 16 16" width="14" height="14" aria-label="→" role="img">
        <path d="M2 8h11M9 4l4 4-4 4" />
      </svg>
      <b>{inWords(after)}</b>
    </span>
  )
}

export function Acts({ children }: { readonly children: ReactNode }) {
  return <div className={css.acts}>{children}</div>
}
