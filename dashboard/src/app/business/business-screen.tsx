import { Button } from '@mantine/core'
import { Link } from 'wouter'
import { post, type Schema } from '../../both/api/call-api.ts'
import { useRead } from '../../both/api/use-read.ts'
import { fieldWords } from '../../both/field-words.ts'
import { SendForm } from '../../both/form/send-form.tsx'
import { Big, Card, Page, Section } from '../../both/layout/page.tsx'
import { QueryAnswer } from '../../both/layout/query-states.tsx'
import { Moment } from '../../both/moments/moment.tsx'
import { useMay } from '../me.ts'
import { businessWords } from '../words/business.ts'
import { frameWords } from '../words/frame.ts'

type ApprovalProps = { readonly approval: Schema<'BusinessApproval'> }

function BusinessForm({ approval }: ApprovalProps) {
  return (
    <SendForm
      fields={{
        name: {
          kind: 'text',
          label: businessWords.name,
          help: businessWords.nameHint,
          initial: approval.name ?? '',
          isNeeded: true,
          lengthMax: 100,
          autoComplete: 'organization',
        },
        registration_number: {
          kind: 'text',
          label: fieldWords.registrationNumber,
          help: businessWords.registrationHint,
          initial: approval.registration_number ?? '',
          isNeeded: true,
          lengthMax: 40,
          autoCapitalize: 'characters',
        },
        purpose: {
          kind: 'text',
          label: fieldWords.purpose,
          help: businessWords.purposeHint,
          initial: approval.purpose ?? '',
          isNeeded: true,
          lengthMax: 500,
          lines: 3,
        },
      }}
      action={approval.state === 'declined' ? businessWords.askAgain : businessWords.ask}
      run={({ purpose, ...asked }) => post('/app/api/business', { ...asked, purpose: purpose.replaceAll('\n', ' ') })}
      topics={['business']}
    />
  )
}

function Standing({ approval }: ApprovalProps) {
  const tone = { none: 'plain', waiting: 'gold', approved: 'plain', declined: 'bad' } as const
  return (
    <Card tone={tone[approval.state]}>
      <Big label={frameWords.business} value={businessWords.states[approval.state]} />
      <p>{businessWords.acts[approval.state]}</p>
      {approval.state === 'declined' && (
        <p>
          <b>{businessWords.reason}:</b> {approval.reason}
        </p>
      )}
      {approval.state === 'waiting' && approval.asked_at !== null && (
        <p>
          {approval.name}, {approval.registration_number}. {fieldWords.asked} <Moment at={approval.asked_at} />
        </p>
      )}
      {approval.state === 'approved' && (
        <Button component={Link} href="/sms/key" mt={12}>
          {businessWords.toKey}
        </Button>
      )}
    </Card>
  )
}

export default function BusinessScreen() {
  const mayAsk = useMay('manage_account')
  return (
    <Page title={frameWords.business}>
      <QueryAnswer query={useRead('business', '/app/api/business')}>
        {(approval) => (
          <>
            <Standing approval={approval} />
            {(approval.state === 'none' || approval.state === 'declined') && (
              <Section title={businessWords.ask}>
                <p>{mayAsk ? businessWords.why : businessWords.ownerOnly}</p>
                {mayAsk && <BusinessForm approval={approval} />}
              </Section>
            )}
          </>
        )}
      </QueryAnswer>
    </Page>
  )
}
