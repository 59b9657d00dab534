import { Button, Textarea, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { answerOf, api } from '../../both/api/call-api.ts'
import type { components } from '../../both/api/dashboard-api.d.ts'
import { Big, Card, Page, Section } from '../../both/layout/page.tsx'
import { Asked, Failure } from '../../both/layout/wait.tsx'
import { Moment } from '../../both/moments/moment.tsx'
import { useMay } from '../me.ts'
import { businessWords } from '../words/business.ts'

type Approval = components['schemas']['BusinessApproval']

const businessKey = ['business'] as const

function BusinessForm({ approval }: { readonly approval: Approval }) {
  const queries = useQueryClient()
  const [name, setName] = useState(approval.name ?? '')
  const [number, setNumber] = useState(approval.registration_number ?? '')
  const [purpose, setPurpose] = useState(approval.purpose ?? '')
  const asking = useMutation({
    mutationFn: () => answerOf(() => api.POST('/app/api/business', { body: { name, registration_number: number, purpose } })),
    onSuccess: (asked) => queries.setQueryData(businessKey, asked),
  })
  const isReady = [name, number, purpose].every((text) => text.trim() !== '')
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        asking.mutate()
      }}
    >
      <TextInput
        label={businessWords.name}
        description={businessWords.nameHint}
        autoComplete="organization"
        maxLength={100}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <TextInput
        mt={12}
        label={businessWords.registrationNumber}
        description={businessWords.registrationHint}
        autoCapitalize="characters"
        maxLength={40}
        value={number}
        onChange={(event) => setNumber(event.currentTarget.value)}
      />
      <Textarea
        mt={12}
        label={businessWords.purpose}
        description={businessWords.purposeHint}
        rows={3}
        maxLength={500}
        styles={{ input: { height: 'auto' } }}
        value={purpose}
        onChange={(event) => setPurpose(event.currentTarget.value.replaceAll('\n', ' '))}
      />
      {asking.isError && <Failure error={asking.error} />}
      <Button type="submit" mt={16} fullWidth disabled={!isReady} loading={asking.isPending}>
        {approval.state === 'declined' ? businessWords.askAgain : businessWords.ask}
      </Button>
    </form>
  )
}

function Standing({ approval }: { readonly approval: Approval }) {
  const tone = { none: 'plain', waiting: 'gold', approved: 'plain', declined: 'bad' } as const
  return (
    <Card tone={tone[approval.state]}>
      <Big label={businessWords.title} value={businessWords.states[approval.state]} />
      <p>{businessWords.acts[approval.state]}</p>
      {approval.state === 'declined' && (
        <p>
          <b>{businessWords.reason}:</b> {approval.reason}
        </p>
      )}
      {approval.state === 'waiting' && approval.asked_at !== null && (
        <p>
          {approval.name}, {approval.registration_number}. {businessWords.asked} <Moment at={approval.asked_at} />
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
  const approval = useQuery({
    queryKey: businessKey,
    queryFn: ({ signal }) => answerOf(() => api.GET('/app/api/business', { signal })),
  })
  return (
    <Page title={businessWords.title}>
      <Asked query={approval}>
        {(found) => {
          const isOpen = found.state === 'none' || found.state === 'declined'
          return (
            <>
              <Standing approval={found} />
              {isOpen && (
                <Section title={businessWords.ask}>
                  <p style={{ marginBottom: 12 }}>{mayAsk ? businessWords.why : businessWords.ownerOnly}</p>
                  {mayAsk && <BusinessForm approval={found} />}
                </Section>
              )}
            </>
          )
        }}
      </Asked>
    </Page>
  )
}
