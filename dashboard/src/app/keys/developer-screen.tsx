import { useRead } from '../../both/api/use-read.ts'
import { CopyText } from '../../both/copy-text.tsx'
import { fieldWords } from '../../both/field-words.ts'
import { Page, Section } from '../../both/layout/page.tsx'
import { QueryAnswer } from '../../both/layout/query-states.tsx'
import { Row, Rows } from '../../both/list/rows.tsx'
import { webhookWords } from '../../both/webhooks/webhook-words.ts'
import { useMay } from '../me.ts'
import { frameWords } from '../words/frame.ts'
import { keyWords } from '../words/keys.ts'
import { testSideWords } from '../words/test-side.ts'
import { KeyCard } from './key-card.tsx'
import { useKeys } from './key-type.ts'
import css from './keys.module.css'

function QuickStart({ apiUrl }: { readonly apiUrl: string }) {
  const call = `curl ${apiUrl}/account/role -H "Authorization: YOUR_KEY"`
  return (
    <Section title={keyWords.quickStart}>
      <p className="soft fine">{keyWords.quickStartHint}</p>
      <pre className={css.code}>{call}</pre>
      <div className={css.actions}>
        <CopyText text={call} label={keyWords.copyCall} />
      </div>
    </Section>
  )
}

function MoreForDevelopers() {
  const policy = useRead('policy', '/app/api/policy')
  const accepted = policy.data?.accepted_version ?? null
  const detail = policy.data && (accepted === null ? keyWords.policyOpen : keyWords.policyAccepted(accepted))
  return (
    <Section title={keyWords.more}>
      <Rows label={keyWords.more}>
        <Row href="/developer/test" title={testSideWords.title} detail={testSideWords.link} />
        <Row href="/developer/webhooks" title={webhookWords.title} detail={webhookWords.link} />
        <Row href="/requests" title={fieldWords.requestLog} detail={keyWords.requestsDetail} />
        <Row href="/developer/policy" title={keyWords.policyLink} detail={detail} />
      </Rows>
      <p style={{ marginTop: 16 }}>
        <a href="/docs">{keyWords.documentation}</a>
      </p>
    </Section>
  )
}

export default function DeveloperScreen() {
  const keys = useKeys()
  const mayManage = useMay('manage_keys')
  return (
    <Page title={frameWords.developer}>
      <p className="soft fine">{mayManage ? keyWords.intro : keyWords.ownerOnly}</p>
      <QueryAnswer query={keys}>
        {({ keys: types, api_url: apiUrl }) => (
          <>
            <div className={css.cards}>
              {types.map((typed) => (
                <KeyCard key={typed.type} typed={typed} />
              ))}
            </div>
            <QuickStart apiUrl={apiUrl} />
            <MoreForDevelopers />
          </>
        )}
      </QueryAnswer>
    </Page>
  )
}
