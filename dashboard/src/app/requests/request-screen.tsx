import { Button } from '@mantine/core'
import { Link, useParams } from 'wouter'
import type { Schema } from '../../both/api/call-api.ts'
import { useRead } from '../../both/api/use-read.ts'
import { CopyText } from '../../both/copy-text.tsx'
import { fieldWords } from '../../both/field-words.ts'
import { Facts } from '../../both/layout/facts.tsx'
import { Big, Card, Page, Section } from '../../both/layout/page.tsx'
import { QueryAnswer } from '../../both/layout/query-states.tsx'
import { Moment } from '../../both/moments/moment.tsx'
import { useKeys } from '../keys/key-type.ts'
import { keyWords } from '../words/keys.ts'
import { requestWords } from '../words/requests.ts'
import { calledPath, curlOf } from './curl-of.ts'
import css from './requests.module.css'

type Call = Schema<'CallDetail'>

const pretty = (value: unknown): string => (value === null ? requestWords.nothingKept : JSON.stringify(value, null, 2))

const outcomeOf = (status: number): string => {
  if (status < 400) return requestWords.accepted
  return status < 500 ? requestWords.refused : requestWords.ours
}

/** The answer to the request in words, and its facts such as path, time and key. */
function CallHead({ call }: { readonly call: Call }) {
  return (
    <Card tone={call.status < 400 ? 'plain' : call.status < 500 ? 'gold' : 'bad'}>
      <Big label={requestWords.answer} value={`${call.status} ${outcomeOf(call.status)}`} />
      <p className={css.path}>
        {call.method} {calledPath(call)}
      </p>
      <Facts
        facts={{
          [fieldWords.when]: <Moment at={call.called_at} />,
          [requestWords.time]: requestWords.milliseconds(call.milliseconds),
          [fieldWords.reason]: call.reason && <span className={css.path}>{call.reason}</span>,
          [fieldWords.key]: `${keyWords.types[call.key_type]} …${call.key_hint}`,
          [requestWords.address]: call.address,
          [requestWords.requestId]: <span className={css.path}>{call.request_id}</span>,
        }}
      />
      {call.order_id !== null && (
        <Button component={Link} href={`/orders/${call.order_id}`} mt={12}>
          {requestWords.order}
        </Button>
      )}
    </Card>
  )
}

function CallBodies({ call, apiUrl }: { readonly call: Call; readonly apiUrl: string | undefined }) {
  return (
    <>
      <Section title={requestWords.sent}>
        <pre className={css.code}>{pretty(call.body)}</pre>
      </Section>
      <Section title={requestWords.answered}>
        <pre className={css.code}>{pretty(call.response)}</pre>
        <p className="soft fine">{requestWords.hidden}</p>
      </Section>
      {apiUrl !== undefined && (
        <Section title={requestWords.copyCurl}>
          <pre className={css.code}>{curlOf(call, apiUrl)}</pre>
          <p className="soft fine" style={{ marginBottom: 8 }}>
            {requestWords.copyCurlHint}
          </p>
          <CopyText text={curlOf(call, apiUrl)} label={requestWords.copyCurl} />
        </Section>
      )}
    </>
  )
}

/** One request with its bodies, and as a `curl` command. */
export default function RequestScreen() {
  const { callId } = useParams<{ callId: string }>()
  const keys = useKeys()
  const call = useRead('request', '/app/api/requests/{call_id}', { call_id: callId }, { staleTime: Number.POSITIVE_INFINITY })
  return (
    <Page title={requestWords.one}>
      <QueryAnswer query={call}>
        {(found) => (
          <>
            <CallHead call={found} />
            <CallBodies call={found} apiUrl={keys.data?.api_url} />
          </>
        )}
      </QueryAnswer>
    </Page>
  )
}
