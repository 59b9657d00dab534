import { fieldWords } from '../../both/field-words.ts'
import { State } from '../../both/list/state.tsx'
import { buyWords } from '../words/buy.ts'
import css from './buy.module.css'
import type { CheckedLine } from './line-goods.ts'
import { again, withoutLines, withWord } from './read-lines.ts'

function wordsOf(line: CheckedLine): string {
  if (line.state === 'too_short' || line.state === 'too_long') return buyWords.digits(line.digits)
  if (line.state === 'no_number') return buyWords.noNumber
  if (line.state === 'no_network') return buyWords.noNetwork
  if (line.state === 'twice') return buyWords.twice
  if (line.reason === 'prefix_mismatch' && line.networks[0] !== undefined) return buyWords.otherNetwork(line.networks[0])
  if (line.reason === 'number_not_registered') return buyWords.unregistered
  return line.message ?? ''
}

type StepProps = {
  readonly line: CheckedLine
  readonly place: number
  readonly text: string
  readonly onText: (text: string) => void
  readonly onMend: (place: number) => void
  readonly networks: readonly string[]
}

/** The buttons for a line that cannot be bought as it is. */
function Steps({ line, place, text, onText, onMend, networks }: StepProps) {
  const steps: (readonly [label: string, act: () => void])[] =
    line.state === 'twice'
      ? [[buyWords.buyTwice, () => onText(withWord(text, place, again))]]
      : line.reason === 'prefix_mismatch'
        ? line.networks.map((network) => [buyWords.moveTo(network), () => onText(withWord(text, place, network, networks))])
        : line.state === 'refused'
          ? []
          : [[buyWords.mend, () => onMend(place)]]
  const shown =
    line.state === 'twice' || steps.length === 0
      ? [...steps, [fieldWords.remove, () => onText(withoutLines(text, [place]))] as const]
      : steps
  return (
    <span className={css.steps}>
      {shown.map(([label, act]) => (
        <button key={label} type="button" className={css.step} aria-label={`${label}: ${line.recipient}`} onClick={act}>
          {label}
        </button>
      ))}
    </span>
  )
}

type Props = Omit<StepProps, 'line' | 'place'> & {
  /** Undefined while the lines are being checked. */
  readonly lines: readonly CheckedLine[] | undefined
  /** The numbers of the lines in the field, counted from 0. */
  readonly places: readonly number[]
}

/** Shows the checked lines: how many are ready, and for each other line what is wrong and what to do. */
export function CheckedLines({ lines = [], places, ...steps }: Props) {
  const ready = lines.filter(({ price }) => price !== null)
  const networks = [...new Set(ready.flatMap(({ network }) => network ?? []))]
  const isChecking = lines.length === 0
  return (
    <ul className={css.lines} aria-label={buyWords.checked} aria-busy={isChecking}>
      <li>
        <b aria-live="polite">{isChecking ? buyWords.checking : buyWords.ready(ready.length)}</b>
        {ready.length > 0 && <State tone="done">{networks.join(', ')}</State>}
      </li>
      {lines.map(
        (line, index) =>
          line.price === null && (
            <li key={places[index]}>
              <p>
                <b>{line.recipient}</b> {wordsOf(line)}
              </p>
              <Steps line={line} place={places[index] ?? 0} {...steps} />
            </li>
          ),
      )}
    </ul>
  )
}
