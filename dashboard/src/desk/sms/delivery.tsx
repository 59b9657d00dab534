import type { components } from '../../both/api/dashboard-api.d.ts'
import { formatCount } from '../../both/money/format-ghs.ts'
import { deliveryWords } from '../words/sms.ts'
import css from './sms.module.css'

export type DeskCampaign = components['schemas']['DeskCampaign']

const parts = ['delivered', 'sent', 'queued', 'failed'] as const
type Part = (typeof parts)[number]

const statesOf: Readonly<Record<Part, readonly string[]>> = {
  delivered: ['delivered'],
  sent: ['sent'],
  queued: ['queued'],
  failed: ['failed', 'undelivered', 'expired', 'rejected'],
}

/** The number of messages that arrived, are on the way, have not been sent, or did not arrive. */
export function countMessages({ delivery }: Pick<DeskCampaign, 'delivery'>, part: Part): number {
  return statesOf[part].reduce((sum, state) => sum + (delivery[state] ?? 0), 0)
}

/** A bar with the progress of a campaign. Screen readers read its words, which are also shown where there is room. */
export function Delivery({ campaign, isInWords = false }: { readonly campaign: DeskCampaign; readonly isInWords?: boolean }) {
  const shown = parts.map((part) => ({ part, count: countMessages(campaign, part) })).filter(({ count }) => count > 0)
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
          {words.join(' · ')}
        </span>
      )}
    </span>
  )
}
