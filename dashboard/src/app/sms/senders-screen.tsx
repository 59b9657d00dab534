import { Button, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { answerOf, api } from '../../both/api/call-api.ts'
import type { components } from '../../both/api/dashboard-api.d.ts'
import { Card, Page, Section } from '../../both/layout/page.tsx'
import { Asked, Empty, Failure } from '../../both/layout/wait.tsx'
import { Row, Rows } from '../../both/list/rows.tsx'
import { State, type Tone } from '../../both/list/state.tsx'
import { useMay } from '../me.ts'
import { senderWords } from '../words/sms.ts'
import { smsKey, useSenders } from './ask-sms.ts'
import css from './sms.module.css'

type Sender = components['schemas']['SmsMemberSenders']['senders'][number]

const tones: Readonly<Record<Sender['status'], Tone>> = { requested: 'wait', approved: 'done', rejected: 'fail' }

function useSenderCall(call: (sender: string) => Promise<unknown>) {
  const queries = useQueryClient()
  return useMutation({ mutationFn: call, onSuccess: () => queries.invalidateQueries({ queryKey: smsKey }) })
}

function SenderRows({ title, senders }: { readonly title: string; readonly senders: readonly Sender[] }) {
  const mayManage = useMay('manage_account')
  const choosing = useSenderCall((sender) => answerOf(() => api.POST('/app/api/sms/senders/default', { body: { sender } })))
  if (senders.length === 0) return null
  return (
    <Section title={title}>
      {choosing.isError && <Failure error={choosing.error} />}
      <Rows label={title}>
        {senders.map(({ sender, type, status, is_default, reason }) => (
          <Row
            key={sender}
            title={sender}
            detail={reason ?? (is_default ? senderWords.isDefault : undefined)}
            end={
              <>
                <State tone={tones[status]}>{senderWords.states[status]}</State>
                {mayManage && type === 'own' && status === 'approved' && !is_default && (
                  <Button variant="light" loading={choosing.isPending} onClick={() => choosing.mutate(sender)}>
                    {senderWords.makeDefault}
                  </Button>
                )}
              </>
            }
          />
        ))}
      </Rows>
    </Section>
  )
}

function AskForm() {
  const [sender, setSender] = useState('')
  const asking = useSenderCall((wanted) => answerOf(() => api.POST('/app/api/sms/senders', { body: { sender: wanted } })))
  return (
    <Section title={senderWords.ask}>
      <Card>
        <form
          onSubmit={(event) => {
            event.preventDefault()
            asking.mutate(sender.trim(), { onSuccess: () => setSender('') })
          }}
        >
          <TextInput
            label={senderWords.field}
            description={senderWords.fieldHint}
            value={sender}
            maxLength={15}
            autoComplete="off"
            onChange={(event) => setSender(event.currentTarget.value)}
          />
          <div className={css.actions}>
            <Button type="submit" loading={asking.isPending} disabled={sender.trim().length < 3}>
              {senderWords.button}
            </Button>
          </div>
        </form>
        {asking.isSuccess && (
          <p role="status" className={css.note}>
            {senderWords.asked}
          </p>
        )}
      </Card>
      {asking.isError && <Failure error={asking.error} />}
    </Section>
  )
}

export default function SendersScreen() {
  const senders = useSenders()
  const mayManage = useMay('manage_account')
  return (
    <Page title={senderWords.title}>
      <p className={css.note}>{senderWords.intro}</p>
      <Asked query={senders}>
        {(found) => {
          const own = found.senders.filter(({ type }) => type === 'own')
          return (
            <>
              {own.length === 0 && (
                <Section title={senderWords.own}>
                  <Empty title={senderWords.none}>{senderWords.noneNext}</Empty>
                </Section>
              )}
              <SenderRows title={senderWords.own} senders={own} />
              <SenderRows title={senderWords.pool} senders={found.senders.filter(({ type }) => type === 'pool')} />
            </>
          )
        }}
      </Asked>
      {mayManage && <AskForm />}
    </Page>
  )
}
