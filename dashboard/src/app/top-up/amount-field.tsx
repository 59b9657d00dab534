import { TextInput } from '@mantine/core'
import { Section } from '../../both/layout/page.tsx'
import { formatCount, formatGhs } from '../../both/money/format-ghs.ts'
import { readGhs } from '../../both/money/read-ghs.ts'
import { topUpWords } from '../words/top-up.ts'
import css from './top-up.module.css'

const usualAmounts = [20, 50, 100, 200, 500, 1_000] as const

type Props = {
  readonly text: string
  readonly onChange: (text: string) => void
  readonly help: string
  readonly error: string | null
}

/** The amount: one of the usual ones by a tap, or any other. */
export function AmountField({ text, onChange, help, error }: Props) {
  return (
    <Section title={topUpWords.amount}>
      <div className={css.amounts} role="group" aria-label={topUpWords.quick}>
        {usualAmounts.map((amount) => (
          <button
            key={amount}
            type="button"
            className={css.choice}
            aria-pressed={readGhs(text) === amount}
            aria-label={formatGhs(amount)}
            onClick={() => onChange(String(amount))}
          >
            <b>{formatCount(amount)}</b>
          </button>
        ))}
      </div>
      <TextInput
        label={topUpWords.amountLabel}
        description={help}
        error={error}
        inputMode="decimal"
        autoComplete="off"
        value={text}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </Section>
  )
}
