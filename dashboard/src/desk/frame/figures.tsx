import type { CSSProperties, ReactNode } from 'react'
import css from './figures.module.css'

export type Figure = {
  readonly label: string
  readonly value: string
  /** Shown below the value: its change, its share, how long it lasts. */
  readonly detail?: ReactNode
  /** `good` is better than before, `warn` asks for attention. */
  readonly tone?: 'plain' | 'good' | 'warn'
}

/** Passes the length of a value to the style sheet, so that the value fits its card in one line. */
const lettersOf = (value: string): CSSProperties => ({ '--letters': value.length }) as CSSProperties

/** A row of cards with one figure each. */
export function Figures({ label, figures }: { readonly label: string; readonly figures: readonly Figure[] }) {
  return (
    <div className={css.room}>
      <dl className={css.figures} aria-label={label}>
        {figures.map(({ label: name, value, detail, tone = 'plain' }) => (
          <div key={name} className={css.card}>
            <dt>{name}</dt>
            <dd className={css.value} style={lettersOf(value)}>
              {value}
            </dd>
            {detail !== undefined && <dd className={css[tone]}>{detail}</dd>}
          </div>
        ))}
      </dl>
    </div>
  )
}
