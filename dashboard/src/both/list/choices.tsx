import { Link } from 'wouter'
import css from './choices.module.css'

type Option<Value extends string> = {
  readonly value: Value
  readonly label: string
  /** Shown after the label. */
  readonly count?: string | undefined
}
type Shown<Value extends string> = {
  /** The name of the choices for screen readers. */
  readonly label: string
  readonly value: Value
  readonly options: readonly Option<Value>[]
}

/** Buttons for the views of one list, side by side, one of them chosen. */
export function Choices<Value extends string>({
  label,
  value,
  options,
  onChoose,
}: Shown<Value> & { readonly onChoose: (value: Value) => void }) {
  return (
    <fieldset className={css.choices} aria-label={label}>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          className={css.choice}
          aria-pressed={option.value === value}
          onClick={() => onChoose(option.value)}
        >
          {option.label}
        </button>
      ))}
    </fieldset>
  )
}

/** Links to lists that belong together, side by side, one of them shown. */
export function Tabs<Value extends string>({
  label,
  value,
  options,
  hrefOf,
}: Shown<Value> & { readonly hrefOf: (value: Value) => string }) {
  return (
    <nav className={css.choices} aria-label={label}>
      {options.map((option) => (
        <Link
          key={option.value}
          href={hrefOf(option.value)}
          className={css.choice}
          aria-current={option.value === value ? 'page' : undefined}
        >
          {option.label}
          {option.count !== undefined && <span className={css.count}>{option.count}</span>}
        </Link>
      ))}
    </nav>
  )
}
