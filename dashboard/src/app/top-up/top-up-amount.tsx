import { fieldWords } from '../../both/field-words.ts'
import { Section } from '../../both/layout/page.tsx'
import { AmountField } from '../../both/money/amount-field.tsx'
import { formatCount, formatGhs } from '../../both/money/format-ghs.ts'
import { cedis, readAmount } from '../../both/money/read-amount.ts'
import { topUpWords } from '../words/top-up.ts'
import css from './top-up.module.css'

const usualAmounts = [20, 50, 100, 200, 500, 1_000] as const

type Props = {
  readonly text: string
  readonly onChange: (text: string) => void
  readonly help: string
  readonly error: string | null
}

/** The amount: a usual one by a tap, or any other. */
export function TopUpAmount({ text, onChange, help, error }: Props) {
  const { amount: typed } = readAmount(text, cedis)
  return (
    <Section title={fieldWords.amount}>
      <div className={css.amounts} role="group" aria-label={topUpWords.quick}>
        {usualAmounts.map((amount) => (
          <button
            key={amount}
            type="button"
            className={css.choice}
            aria-pressed={typed === amount}
            aria-label={formatGhs(amount)}
            onClick={() => onChange(String(amount))}
          >
            <b>{formatCount(amount)}</b>
          </button>
        ))}
      </div>
      <AmountField kind={cedis} label={topUpWords.amountLabel} description={help} error={error} text={text} onText={onChange} />
    </Section>
  )
}
