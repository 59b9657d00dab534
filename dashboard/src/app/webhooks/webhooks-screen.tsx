import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { post, type Schema } from '../../both/api/call-api.ts'
import { useRead } from '../../both/api/use-read.ts'
import { SendForm } from '../../both/form/send-form.tsx'
import { Card, Page, Section } from '../../both/layout/page.tsx'
import { Empty, QueryAnswer } from '../../both/layout/query-states.tsx'
import { SaveTextButtons } from '../../both/save-text-buttons.tsx'
import { webhookWords as words } from '../../both/webhooks/webhook-words.ts'
import css from '../keys/keys.module.css'
import { useMay } from '../me.ts'
import { OwnEndpoint } from './own-endpoint.tsx'

export type Made = Schema<'MadeWebhookEndpoint'>

/** Shows a new secret. No other screen shows it. */
function ShownSecret({ made, onKept }: { readonly made: Made; readonly onKept: () => void }): ReactNode {
  return (
    <Page
      title={words.madeTitle}
      foot={
        <Button fullWidth onClick={onKept}>
          {words.kept}
        </Button>
      }
    >
      <Card tone="gold">{words.madeOnce}</Card>
      <output className={css.made} style={{ display: 'block' }} aria-label={words.madeTitle}>
        {made.secret}
      </output>
      <div className={css.actions}>
        <SaveTextButtons text={made.secret} label={words.copySecret} fileName="makola-webhook-secret.txt" />
      </div>
    </Page>
  )
}

type EventType = Schema<'WebhookEndpoints'>['event_types'][number]

function AddForm({ types, onMade }: { readonly types: readonly EventType[]; readonly onMade: (made: Made) => void }) {
  return (
    <SendForm
      action={words.add}
      fields={{
        url: {
          kind: 'text',
          label: words.address,
          help: words.addressHelp,
          placeholder: 'https://',
          isNeeded: true,
          lengthMax: 500,
          autoCapitalize: 'none',
        },
        events: {
          kind: 'ticks',
          label: words.events,
          options: types.map((type) => ({ value: type, label: words.meanings[type] })),
          initial: types,
        },
      }}
      run={({ url, events }) => post('/app/api/webhooks', { url, events: events as EventType[] })}
      topics={['webhooks']}
      onDone={onMade}
    />
  )
}

/** The endpoints of the account, each with its log, and how to add one. */
export default function WebhooksScreen() {
  const mayManage = useMay('manage_keys')
  const query = useRead('webhooks', '/app/api/webhooks')
  const [made, setMade] = useState<Made>()
  if (made) return <ShownSecret made={made} onKept={() => setMade(undefined)} />
  return (
    <Page title={words.title}>
      <p className={`soft fine ${css.before}`}>
        {mayManage ? words.intro : words.ownerOnly} <a href="/docs/webhooks">{words.documentation}</a>
      </p>
      <QueryAnswer query={query}>
        {({ endpoints, event_types: types }) => (
          <>
            {endpoints.length === 0 && <Empty title={words.none}>{mayManage && words.noneNext}</Empty>}
            <div className={css.cards}>
              {endpoints.map((endpoint) => (
                <OwnEndpoint key={endpoint.endpoint_id} endpoint={endpoint} eventCount={types.length} onRotated={setMade} />
              ))}
            </div>
            {mayManage && (
              <Section title={words.add}>
                <Card>
                  <AddForm types={types} onMade={setMade} />
                </Card>
              </Section>
            )}
          </>
        )}
      </QueryAnswer>
    </Page>
  )
}
