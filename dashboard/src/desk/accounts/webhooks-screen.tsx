import { Stack } from '@mantine/core'
import { useParams } from 'wouter'
import { post } from '../../both/api/call-api.ts'
import { useRead } from '../../both/api/use-read.ts'
import { fieldWords } from '../../both/field-words.ts'
import { ActNow } from '../../both/form/act-now.tsx'
import { Page } from '../../both/layout/page.tsx'
import { Empty, QueryAnswer } from '../../both/layout/query-states.tsx'
import { DeliveryLog, DeliveryTexts, webhookTopics as topics } from '../../both/webhooks/delivery-log.tsx'
import { type Endpoint, EndpointCard } from '../../both/webhooks/endpoint-card.tsx'
import { webhookWords as words } from '../../both/webhooks/webhook-words.ts'
import { useMay } from '../me.ts'
import { deskWebhookWords } from '../words/accounts.ts'

function Texts(path: { readonly endpoint_id: string; readonly event_id: string }) {
  return <DeliveryTexts query={useRead('webhook-deliveries', '/desk/api/webhooks/{endpoint_id}/deliveries/{event_id}', path)} />
}

function Log({ endpointId: id, mayManage }: { readonly endpointId: string; readonly mayManage: boolean }) {
  const resend = (eventId: string) =>
    post('/desk/api/webhooks/{endpoint_id}/deliveries/{event_id}/resend', { endpoint_id: id, event_id: eventId })
  return (
    <DeliveryLog
      query={useRead('webhook-deliveries', '/desk/api/webhooks/{endpoint_id}/deliveries', { endpoint_id: id })}
      resend={mayManage ? resend : undefined}
      texts={(eventId) => <Texts endpoint_id={id} event_id={eventId} />}
    />
  )
}

function Acts({ endpoint: { endpoint_id: id, state } }: { readonly endpoint: Endpoint }) {
  const path = { endpoint_id: id }
  return (
    <>
      <ActNow
        label={words.test}
        run={() => post('/desk/api/webhooks/{endpoint_id}/test', path)}
        topics={topics}
        done={() => words.tested}
      />
      <ActNow
        label={state === 'active' ? fieldWords.pause : fieldWords.resume}
        variant="default"
        run={() =>
          state === 'active'
            ? post('/desk/api/webhooks/{endpoint_id}/pause', path)
            : post('/desk/api/webhooks/{endpoint_id}/resume', path)
        }
        topics={topics}
      />
    </>
  )
}

/** The webhook endpoints of an account, each with its log. */
export default function WebhooksScreen() {
  const { account } = useParams<{ account: string }>()
  const mayManage = useMay('manage_keys')
  const query = useRead('webhooks', '/desk/api/webhooks', { account_id: account })
  return (
    <Page title={words.title}>
      <QueryAnswer query={query}>
        {({ endpoints }) => (
          <Stack gap={12}>
            {endpoints.length === 0 && <Empty title={deskWebhookWords.none}>{deskWebhookWords.noneNext}</Empty>}
            {endpoints.map((endpoint) => (
              <EndpointCard
                key={endpoint.endpoint_id}
                endpoint={endpoint}
                pauseReasons={deskWebhookWords.pauseReasons}
                events={endpoint.events.join(', ')}
                acts={mayManage && <Acts endpoint={endpoint} />}
                log={() => <Log endpointId={endpoint.endpoint_id} mayManage={mayManage} />}
              />
            ))}
          </Stack>
        )}
      </QueryAnswer>
    </Page>
  )
}
