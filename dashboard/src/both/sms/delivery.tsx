import { formatCount } from '../money/format-ghs.ts'
import { deliveryWords } from './campaign-words.ts'
import css from './delivery.module.css'

/** The number of messages of a campaign in each state, as the server counts them. */
export type DeliveryCounts = Readonly<Record<string, number>>

const parts = ['delivered', 'sent', 'queued', 'failed'] as const
type Part = (typeof parts)[number]

const statesOf: Readonly<Record<Part, readonly string[]>> = {
  delivered: ['delivered'],
  sent: ['sent'],
  queued: ['queued'],
  failed: ['failed', 'undelivered', 'expired', 'rejected'],
}

/** Counts the messages of one part of the bar: those that arrived, are on the way, wait, or did not arrive. */
export function countMessages(counts: DeliveryCounts, part: Part): number {
  return statesOf[part].reduce((sum, state) => sum + (counts[state] ?? 0), 0)
}

type Props = { readonly counts: DeliveryCounts; readonly isInWords?: boolean }

/** A bar with the progress of a campaign. Screen readers read its words, which are also shown where there is room. */
export function Delivery({ counts, isInWords = false }: Props) {
  const shown = parts.map((part) => ({ part, count: countMessages(counts, part) })).filter(({ count }) => count > 0)
  if (shown.length === 0) return null
  const words = shown.map(({ part, count }) => `${formatCount(count)} ${deliveryWords[part]}`)
  return (
    <span className={css.delivery}>
      <span className={css.bar} role="img" aria-label={words.join(', ')} title={words.join(', ')}>
        {shown.map(({ part, count }) => (
          <span key={part} className={css[part]} style={{ flexGrow: count }} />
        ))}
      </span>
      {isInWords && (
        <span className={css.legend} aria-hidden="true">
          {shown.map(({ part }, index) => (
            <span key={part}>
              <i className={css[part]} />
              {words[index]}
            </span>
          ))}
        </span>
      )}
    </span>
  )
}
