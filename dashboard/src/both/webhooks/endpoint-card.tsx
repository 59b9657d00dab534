import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type { Schema } from '../api/call-api.ts'
import { fieldWords } from '../field-words.ts'
import { Facts } from '../layout/facts.tsx'
import { State } from '../list/state.tsx'
import { Moment } from '../moments/moment.tsx'
import { webhookWords as words } from './webhook-words.ts'
import css from './webhooks.module.css'

export type Endpoint = Schema<'WebhookEndpoint'>

type CardProps = {
  readonly endpoint: Endpoint
  /** The reasons of a pause in words for this person. */
  readonly pauseReasons: typeof words.pauseReasons
  readonly events: string
  /** Buttons that change the endpoint. Empty for persons who may only read it. */
  readonly acts: ReactNode
  /** Its log, which is read when somebody opens it. */
  readonly log: () => ReactNode
}

/** One endpoint: its state, the buttons, and its log. */
export function EndpointCard({ endpoint, pauseReasons, events, acts, log }: CardProps) {
  const [isLogOpen, setLogOpen] = useState(false)
  const { state, pause_reason: why, last_delivered_at: last, previous_secret_until: until } = endpoint
  return (
    <section className={css.card} aria-label={endpoint.url}>
      <h2>{endpoint.url}</h2>
      <State tone={state === 'active' ? 'done' : 'fail'}>
        {why === null ? words.states[state] : `${words.states[state]}: ${pauseReasons[why]}`}
      </State>
      <Facts
        facts={{
          [words.events]: events,
          [words.waiting]: String(endpoint.waiting),
          [words.lastDelivered]: last === null ? fieldWords.never : <Moment at={last} />,
          [words.failures]: endpoint.failures > 0 ? String(endpoint.failures) : null,
          [words.oldSecretUntil]: until === null ? null : <Moment at={until} />,
        }}
      />
      {acts && <div className={css.actions}>{acts}</div>}
      <div>
        <Button variant="subtle" aria-expanded={isLogOpen} onClick={() => setLogOpen(!isLogOpen)}>
          {isLogOpen ? words.hideLog : words.showLog}
        </Button>
      </div>
      {isLogOpen && log()}
    </section>
  )
}
