import { Button } from '@mantine/core'
import { useState } from 'react'
import { post, type Schema } from '../../both/api/call-api.ts'
import { useRead } from '../../both/api/use-read.ts'
import { fieldWords } from '../../both/field-words.ts'
import { ActNow } from '../../both/form/act-now.tsx'
import { Asked } from '../../both/layout/wait.tsx'
import { Row, Rows } from '../../both/list/rows.tsx'
import { State } from '../../both/list/state.tsx'
import { relativeMoment } from '../../both/moments/format-moment.ts'
import css from '../keys/keys.module.css'
import { useMay } from '../me.ts'
import { webhookWords as words } from '../words/webhooks.ts'

type Delivery = Schema<'WebhookDelivery'>

function describeDelivery({ happened_at: at, tries, status, milliseconds, failure }: Delivery): string {
  const answered = status !== null && milliseconds !== null && failure === null ? words.answered(status, milliseconds) : failure
  return [relativeMoment(at), words.tries(tries), ...(answered === null ? [] : [answered])].join(' · ')
}

function DeliveryDetail({ endpointId, eventId }: { readonly endpointId: string; readonly eventId: string }) {
  const path = { endpoint_id: endpointId, event_id: eventId }
  const query = useRead('webhook-deliveries', '/app/api/webhooks/{endpoint_id}/deliveries/{event_id}', path)
  return (
    <Asked query={query} lines={2}>
      {({ request, answer }) => (
        <>
          <b>{words.request}</b>
          <pre className={css.code}>{request}</pre>
          <b>{words.answer}</b>
          <pre className={css.code}>{answer ?? words.noAnswer}</pre>
        </>
      )}
    </Asked>
  )
}

function DeliveryRow({ endpointId, delivery }: { readonly endpointId: string; readonly delivery: Delivery }) {
  const mayManage = useMay('manage_keys')
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
            {mayManage && state === 'delivered' && (
              <ActNow
                size="xs"
                label={words.resend}
                run={() =>
                  post('/app/api/webhooks/{endpoint_id}/deliveries/{event_id}/resend', {
                    endpoint_id: endpointId,
                    event_id: eventId,
                  })
                }
                topics={['webhooks', 'webhook-deliveries']}
              />
            )}
          </span>
          {isOpen && <DeliveryDetail endpointId={endpointId} eventId={eventId} />}
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

/** What was sent to an endpoint lately, and what waits. */
export function DeliveryLog({ endpointId }: { readonly endpointId: string }) {
  const query = useRead('webhook-deliveries', '/app/api/webhooks/{endpoint_id}/deliveries', { endpoint_id: endpointId })
  return (
    <>
      <p className={css.soft}>{words.logHint}</p>
      <Asked query={query} lines={3}>
        {({ deliveries }) => (
          <Rows label={words.log} empty={{ title: words.nothingSent, next: null }}>
            {deliveries.map((delivery) => (
              <DeliveryRow key={delivery.event_id} endpointId={endpointId} delivery={delivery} />
            ))}
          </Rows>
        )}
      </Asked>
    </>
  )
}
