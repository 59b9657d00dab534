import { post, remove, type Schema } from '../../both/api/call-api.ts'
import { useRead } from '../../both/api/use-read.ts'
import { fieldWords } from '../../both/field-words.ts'
import { Act } from '../../both/form/act.tsx'
import { ActNow } from '../../both/form/act-now.tsx'
import { readMoment } from '../../both/moments/format-moment.ts'
import { DeliveryLog, DeliveryTexts, webhookTopics as topics } from '../../both/webhooks/delivery-log.tsx'
import { type Endpoint, EndpointCard } from '../../both/webhooks/endpoint-card.tsx'
import { webhookWords as words } from '../../both/webhooks/webhook-words.ts'
import { useMay } from '../me.ts'

type Made = Schema<'MadeWebhookEndpoint'>
type ActsProps = { readonly endpoint: Endpoint; readonly onRotated: (made: Made) => void }

function EndpointActs({ endpoint: { endpoint_id: id, state }, onRotated }: ActsProps) {
  const next = state === 'active' ? ('paused' as const) : ('active' as const)
  return (
    <>
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
          post('/app/api/webhooks/{endpoint_id}/replay', { endpoint_id: id, from: readMoment(from) ?? '' })
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
    </>
  )
}

function OwnTexts(path: { readonly endpoint_id: string; readonly event_id: string }) {
  return <DeliveryTexts query={useRead('webhook-deliveries', '/app/api/webhooks/{endpoint_id}/deliveries/{event_id}', path)} />
}

function OwnLog({ endpointId: id, mayManage }: { readonly endpointId: string; readonly mayManage: boolean }) {
  const resend = (eventId: string) =>
    post('/app/api/webhooks/{endpoint_id}/deliveries/{event_id}/resend', { endpoint_id: id, event_id: eventId })
  return (
    <DeliveryLog
      query={useRead('webhook-deliveries', '/app/api/webhooks/{endpoint_id}/deliveries', { endpoint_id: id })}
      resend={mayManage ? resend : undefined}
      texts={(eventId) => <OwnTexts endpoint_id={id} event_id={eventId} />}
    />
  )
}

/** An endpoint of the person's account. `eventCount`: how many kinds of events there are. */
export function OwnEndpoint({ endpoint, eventCount, onRotated }: ActsProps & { readonly eventCount: number }) {
  const mayManage = useMay('manage_keys')
  return (
    <EndpointCard
      endpoint={endpoint}
      pauseReasons={words.pauseReasons}
      events={words.countOfEvents(endpoint.events.length, eventCount)}
      acts={mayManage && <EndpointActs endpoint={endpoint} onRotated={onRotated} />}
      log={() => <OwnLog endpointId={endpoint.endpoint_id} mayManage={mayManage} />}
    />
  )
}
