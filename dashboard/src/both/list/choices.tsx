import css from './choices.module.css'

type Props<Value extends string> = {
  /** The name of the choices for screen readers. */
  readonly label: string
  readonly value: Value
  readonly options: readonly { readonly value: Value; readonly label: string }[]
  readonly onChoose: (value: Value) => void
}

/** Buttons for the views of one list, side by side, one of them chosen. */
export function Choices<Value extends string>({ label, value, options, onChoose }: Props<Value>) {
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
