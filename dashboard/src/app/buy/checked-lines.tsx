import { Text } from '@mantine/core'
import { fieldWords } from '../../both/field-words.ts'
import { State } from '../../both/list/state.tsx'
import { buyWords } from '../words/buy.ts'
import css from './buy.module.css'
import type { CheckedLine } from './lines-product.ts'
import { withoutLines, withWord } from './read-lines.ts'
import { earlierOrderWords } from './repeat-warning.tsx'
import { repeatWord } from './repeat-word.ts'

/** A line that cannot be bought as it is, and why. */
type OpenLine = {
  /** The number of the line in the field, counted from 0. */
  readonly place: number
  readonly recipient: string
  readonly words: string
  /** The server's answer; undefined for a line that was not sent. */
  readonly line?: CheckedLine
}

/** Says to the person why a line cannot be bought as it is. */
export function wordsOfLine(line: CheckedLine): string {
  if (line.state === 'too_short' || line.state === 'too_long') return buyWords.digits(line.digits)
  if (line.state === 'no_number') return buyWords.noNumber
  if (line.state === 'no_network') return buyWords.noNetwork
  if (line.state === 'twice') return buyWords.twice
  if (line.state === 'bought' && line.same) return `${buyWords.was} ${earlierOrderWords(line.same)}`
  if (line.reason === 'prefix_mismatch' && line.networks[0] !== undefined) return buyWords.otherNetwork(line.networks[0])
  if (line.reason === 'number_not_registered') return buyWords.unregistered
  return line.message ?? ''
}

type StepProps = {
  readonly text: string
  readonly onText: (text: string) => void
  readonly onMend: (place: number) => void
  readonly networks: readonly string[]
}

type Step = readonly [label: string, act: () => void]

function stepsOf({ place, line }: OpenLine, { text, onText, onMend, networks }: StepProps): Step[] {
  const remove: Step = [fieldWords.remove, () => onText(withoutLines(text, [place]))]
  if (line?.state === 'twice') return [[buyWords.buyTwice, () => onText(withWord(text, [place], repeatWord))], remove]
  if (line?.state === 'bought') return [[buyWords.buyAgain, () => onText(withWord(text, [place], repeatWord))], remove]
  if (line?.reason === 'prefix_mismatch') {
    return line.networks.map((to) => [buyWords.moveTo(to), () => onText(withWord(text, [place], to, networks))])
  }
  return line?.state === 'refused' ? [remove] : [[buyWords.mend, () => onMend(place)], remove]
}

/** The number of a line in the field, and its text if that is more than the phone number. */
function LineName({ place, recipient, text }: { readonly place: number; readonly recipient: string; readonly text: string }) {
  const rows = text.trim().split('\n')
  const written = rows[place]?.trim() ?? ''
  if (rows.length === 1 && written === recipient) return null
  return (
    <Text component="span" size="xs" c="dimmed" w="100%">
      {buyWords.line(place + 1)}
      {written !== recipient && `: ${written}`}
    </Text>
  )
}

/** Buttons for all lines that cannot be bought, and for all that were bought before. */
function StepsForAll({ open, ...steps }: StepProps & { readonly open: readonly OpenLine[] }) {
  const { text, onText } = steps
  const placesOf = (isBought: boolean) =>
    open.filter(({ line }) => (line?.state === 'bought') === isBought).map(({ place }) => place)
  const [bought, bad] = [placesOf(true), placesOf(false)]
  const shown: Step[] = [
    ...(bad.length > 1 ? [[buyWords.removeBad(bad.length), () => onText(withoutLines(text, bad))] as const] : []),
    ...(bought.length > 1
      ? [
          [buyWords.removeBought(bought.length), () => onText(withoutLines(text, bought))] as const,
          [buyWords.buyAllAgain(bought.length), () => onText(withWord(text, bought, repeatWord))] as const,
        ]
      : []),
  ]
  return shown.map(([label, act]) => (
    <button key={label} type="button" className={css.step} onClick={act}>
      {label}
    </button>
  ))
}

type Props = StepProps & {
  /** Undefined while the lines are being checked. */
  readonly lines: readonly CheckedLine[] | undefined
  /** The numbers of the lines in the field, counted from 0. */
  readonly places: readonly number[]
  /** Lines whose size or amount cannot be read. While there are any, no line is checked. */
  readonly unreadable: readonly OpenLine[]
}

/** Shows the checked lines: how many are ready, and for each other line what is wrong and what to do. */
export function CheckedLines({ lines = [], places, unreadable, ...steps }: Props) {
  const ready = lines.filter(({ price }) => price !== null)
  const networks = [...new Set(ready.flatMap(({ network }) => network ?? []))]
  const isChecking = lines.length === 0 && unreadable.length === 0
  const open = [
    ...unreadable,
    ...lines.flatMap((line, index) =>
      line.price === null ? [{ place: places[index] ?? 0, recipient: line.recipient, words: ` ${wordsOfLine(line)}`, line }] : [],
    ),
  ]
  const title = isChecking ? buyWords.checking : unreadable.length > 0 ? buyWords.mendFirst : buyWords.ready(ready.length)
  return (
    <ul className={css.lines} aria-label={buyWords.checked} aria-busy={isChecking}>
      <li>
        <b aria-live="polite">{title}</b>
        {ready.length > 0 && <State tone="done">{networks.join(', ')}</State>}
        <StepsForAll open={open} {...steps} />
      </li>
      {open.map((line) => (
        <li key={line.place}>
          <LineName {...line} text={steps.text} />
          <p>
            <b>{line.recipient}</b>
            {line.line ? line.words : `: ${line.words}`}
          </p>
          <span className={css.steps}>
            {stepsOf(line, steps).map(([label, act]) => (
              <button key={label} type="button" className={css.step} aria-label={`${label}: ${line.recipient}`} onClick={act}>
                {label}
              </button>
            ))}
          </span>
        </li>
      ))}
    </ul>
  )
}
