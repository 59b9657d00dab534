import { formatCount } from '../../both/money/format-ghs.ts'
import { smsWords } from '../words/sms.ts'
import css from './sms.module.css'

/** The number of messages of a campaign in each state, as the server counts them. */
export type Delivery = Readonly<Record<string, number>>

const parts = ['delivered', 'sent', 'queued', 'failed'] as const
type Part = (typeof parts)[number]

const statesOf: Readonly<Record<Part, readonly string[]>> = {
  delivered: ['delivered'],
  sent: ['sent'],
  queued: ['queued'],
  failed: ['failed', 'undelivered', 'expired', 'rejected'],
}

/** The number of messages that arrived, are on the way, have not been sent, or did not arrive. */
export function countPart(delivery: Delivery, part: Part): number {
  return statesOf[part].reduce((sum, state) => sum + (delivery[state] ?? 0), 0)
}

/** The progress of a campaign: a bar, and the same in words. */
export function DeliveryBar({ delivery, isSmall = false }: { readonly delivery: Delivery; readonly isSmall?: boolean }) {
  const shown = parts.map((part) => ({ part, count: countPart(delivery, part) })).filter(({ count }) => count > 0)
  if (shown.length === 0) return null
  const words = shown.map(({ part, count }) => `${formatCount(count)} ${smsWords.delivery[part]}`)
  return (
    <span className={isSmall ? css.small : undefined}>
      <span className={css.bar} role="img" aria-label={words.join(', ')}>
        {shown.map(({ part, count }) => (
          <span key={part} className={css[part]} style={{ flexGrow: count }} />
        ))}
      </span>
      {!isSmall && (
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
