import { type ReactNode, useId } from 'react'
import css from './buy.module.css'

type Choice = {
  readonly value: string
  readonly label: ReactNode
  /** A second line of text in the chip, such as the price or the number left. */
  readonly detail?: ReactNode
  readonly isOff?: boolean
}

type Props = {
  readonly legend: string
  readonly choices: readonly Choice[]
  readonly value: string | undefined
  readonly onChoose: (value: string) => void
  /** True: the chips are in columns of equal width. */
  readonly isGrid?: boolean
}

/** One choice out of a few, each as large as a thumb. Radio buttons, so that the keyboard and screen readers know them. */
export function Chips({ legend, choices, value, onChoose, isGrid = false }: Props) {
  const name = useId()
  return (
    <fieldset className={css.fieldset}>
      <legend className={css.legend}>{legend}</legend>
      <div className={isGrid ? css.grid : css.chips}>
        {choices.map((choice) => (
          <label key={choice.value} className={css.chip}>
            <input
              type="radio"
              name={name}
              value={choice.value}
              checked={choice.value === value}
              disabled={choice.isOff === true}
              onChange={() => onChoose(choice.value)}
            />
            {choice.label}
            {choice.detail !== undefined && <small>{choice.detail}</small>}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
