import { Button } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { Schema } from '../api/call-api.ts'
import { fieldWords } from '../field-words.ts'
import { ActNow } from '../form/act-now.tsx'
import { QueryAnswer } from '../layout/query-states.tsx'
import { Row, Rows } from '../list/rows.tsx'
import { State } from '../list/state.tsx'
import { relativeMoment } from '../moments/format-moment.ts'
import { webhookWords as words } from './webhook-words.ts'
import css from './webhooks.module.css'

type Delivery = Schema<'WebhookDelivery'>

/** Topics to read again after a resend or a change of an endpoint. */
export const webhookTopics = ['webhooks', 'webhook-deliveries']

function describeDelivery({ happened_at: at, tries, status, milliseconds, failure }: Delivery): string {
  const answered = status !== null && milliseconds !== null && failure === null ? words.answered(status, milliseconds) : failure
  return [relativeMoment(at), words.tries(tries), ...(answered === null ? [] : [answered])].join(' · ')
}

/** The request of a delivery, and its last answer. */
export function DeliveryTexts({ query }: { readonly query: UseQueryResult<Schema<'WebhookDeliveryInFull'>> }) {
  return (
    <QueryAnswer query={query} lines={2}>
      {({ request, answer }) => (
        <>
          <b>{words.request}</b>
          <pre className={css.code}>{request}</pre>
          <b>{words.answer}</b>
          <pre className={css.code}>{answer ?? words.noAnswer}</pre>
        </>
      )}
    </QueryAnswer>
  )
}

type Entries = {
  /** Left out: this person may not send it again. */
  readonly resend: ((eventId: string) => Promise<unknown>) | undefined
  readonly texts: (eventId: string) => ReactNode
}

function DeliveryRow({ delivery, resend, texts }: Entries & { readonly delivery: Delivery }) {
  const [isOpen, setOpen] = useState(false)
  const { event_id: eventId, type, state } = delivery
  return (
    <Row
      title={words.meanings[type]}
      detail={
        <>
          <span>{describeDelivery(delivery)}</span>
          <span className={css.actions}>
            <Button size="xs" variant="subtle" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
              {words.details}
            </Button>
            {resend && state === 'delivered' && (
              <ActNow size="xs" label={words.resend} run={() => resend(eventId)} topics={webhookTopics} />
            )}
          </span>
          {isOpen && texts(eventId)}
        </>
      }
      end={
        <State tone={state === 'delivered' ? 'done' : 'wait'}>
          {state === 'delivered' ? words.delivered : fieldWords.waiting}
        </State>
      }
    />
  )
}

/** The latest deliveries to an endpoint, and those that wait. */
export function DeliveryLog({ query, ...entries }: Entries & { readonly query: UseQueryResult<Schema<'WebhookDeliveryPage'>> }) {
  return (
    <>
      <p className="soft fine">{words.logHint}</p>
      <QueryAnswer query={query} lines={3}>
        {({ deliveries }) => (
          <Rows label={words.log} empty={{ title: words.nothingSent, next: null }}>
            {deliveries.map((delivery) => (
              <DeliveryRow key={delivery.event_id} delivery={delivery} {...entries} />
            ))}
          </Rows>
        )}
      </QueryAnswer>
    </>
  )
}
