import { Button } from '@mantine/core'
import { useState } from 'react'
import { post, remove, type Schema } from '../../both/api/call-api.ts'
import { fieldWords } from '../../both/field-words.ts'
import { Act } from '../../both/form/act.tsx'
import { ActNow } from '../../both/form/act-now.tsx'
import { Facts } from '../../both/layout/facts.tsx'
import { State } from '../../both/list/state.tsx'
import { Moment } from '../../both/moments/moment.tsx'
import css from '../keys/keys.module.css'
import { useMay } from '../me.ts'
import { webhookWords as words } from '../words/webhooks.ts'
import { DeliveryLog } from './delivery-log.tsx'

type Endpoint = Schema<'WebhookEndpoint'>
type Made = Schema<'MadeWebhookEndpoint'>
type ActsProps = { readonly endpoint: Endpoint; readonly onRotated: (made: Made) => void }
/** `eventCount`: how many kinds of events there are. */
type CardProps = ActsProps & { readonly eventCount: number }

const topics = ['webhooks', 'webhook-deliveries']

function EndpointActs({ endpoint: { endpoint_id: id, state }, onRotated }: ActsProps) {
  const next = state === 'active' ? ('paused' as const) : ('active' as const)
  return (
    <div className={css.actions}>
      <ActNow
        label={words.test}
        run={() => post('/app/api/webhooks/{endpoint_id}/test', { endpoint_id: id })}
        topics={topics}
        done={() => words.tested}
      />
      <ActNow
        label={next === 'paused' ? fieldWords.pause : fieldWords.resume}
        variant="default"
        run={() => post('/app/api/webhooks/{endpoint_id}/state', { endpoint_id: id, state: next })}
        topics={topics}
      />
      <Act
        label={words.replay}
        question={words.replayQuestion}
        fields={{ from: { kind: 'datetime-local', label: words.replayFrom, isNeeded: true } }}
        reason="none"
        button={{ variant: 'default' }}
        run={(_reason, { from }) =>
          post('/app/api/webhooks/{endpoint_id}/replay', { endpoint_id: id, from: new Date(`${from}Z`).toISOString() })
        }
        topics={topics}
      />
      <Act
        label={words.rotate}
        question={words.rotateQuestion}
        reason="none"
        button={{ variant: 'default' }}
        run={async () => onRotated(await post('/app/api/webhooks/{endpoint_id}/secret', { endpoint_id: id }))}
        topics={topics}
      >
        <p>{words.rotateDetail}</p>
      </Act>
      <Act
        label={fieldWords.remove}
        question={words.removeQuestion}
        reason="none"
        isGrave
        button={{ variant: 'default' }}
        run={() => remove('/app/api/webhooks/{endpoint_id}', { endpoint_id: id })}
        topics={topics}
      >
        <p>{words.removeDetail}</p>
      </Act>
    </div>
  )
}

/** One endpoint: how it does, what its owner can do, and its log. */
export function EndpointCard({ endpoint, eventCount, onRotated }: CardProps) {
  const mayManage = useMay('manage_keys')
  const [isLogOpen, setLogOpen] = useState(false)
  const { state, pause_reason: why, last_delivered_at: last, previous_secret_until: until } = endpoint
  return (
    <section className={css.card} aria-label={endpoint.url}>
      <h2 className={css.key}>{endpoint.url}</h2>
      <State tone={state === 'active' ? 'done' : 'fail'}>
        {why === null ? words.states[state] : `${words.states[state]}: ${words.pauseReasons[why]}`}
      </State>
      <Facts
        facts={{
          [words.events]: words.countOfEvents(endpoint.events.length, eventCount),
          [words.waiting]: String(endpoint.waiting),
          [words.lastDelivered]: last === null ? fieldWords.never : <Moment at={last} />,
          [words.failures]: endpoint.failures > 0 ? String(endpoint.failures) : null,
          [words.oldSecretUntil]: until === null ? null : <Moment at={until} />,
        }}
      />
      {mayManage && <EndpointActs endpoint={endpoint} onRotated={onRotated} />}
      <div>
        <Button variant="subtle" aria-expanded={isLogOpen} onClick={() => setLogOpen(!isLogOpen)}>
          {isLogOpen ? words.hideLog : words.showLog}
        </Button>
      </div>
      {isLogOpen && <DeliveryLog endpointId={endpoint.endpoint_id} />}
    </section>
  )
}
