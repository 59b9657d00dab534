import type { ReactNode } from 'react'
import css from './facts.module.css'

export type FactValues = Readonly<Record<string, ReactNode>>
type Props = {
  /** The name of the facts for screen readers. */
  readonly label?: string
  readonly facts: FactValues
  /** True: lines divide the facts, and each value is beside its name. */
  readonly isLined?: boolean
}

/** A list of names and values. Names without a value are left out. */
export function Facts({ label, facts, isLined = false }: Props) {
  return (
    <dl className={isLined ? css.lined : css.facts} aria-label={label}>
      {Object.entries(facts)
        .filter(([, value]) => value !== null && value !== undefined && value !== false && value !== '')
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  )
}
