import { Button } from '@mantine/core'
import { post, type Schema } from '../../both/api/call-api.ts'
import { useAct } from '../../both/api/use-read.ts'
import { fieldWords } from '../../both/field-words.ts'
import { SendForm } from '../../both/form/send-form.tsx'
import { Card, Page, Section } from '../../both/layout/page.tsx'
import { Empty, Failure, QueryAnswer } from '../../both/layout/query-states.tsx'
import { Row, Rows } from '../../both/list/rows.tsx'
import { State, type Tone } from '../../both/list/state.tsx'
import { useMay } from '../me.ts'
import { senderWords, smsWords } from '../words/sms.ts'
import { useSenders } from './ask-sms.ts'
import css from './sms.module.css'

type Sender = Schema<'SmsMemberSenders'>['senders'][number]

const tones: Readonly<Record<Sender['status'], Tone>> = { requested: 'wait', approved: 'done', rejected: 'fail' }

function SenderRows({ title, senders }: { readonly title: string; readonly senders: readonly Sender[] }) {
  const mayManage = useMay('manage_account')
  const choosing = useAct((sender: string) => post('/app/api/sms/senders/default', { sender }), ['sms'])
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
  return (
    <Section title={senderWords.ask}>
      <Card>
        <SendForm
          fields={{
            sender: {
              kind: 'text',
              label: fieldWords.name,
              help: senderWords.fieldHint,
              isNeeded: true,
              lengthMin: 3,
              lengthMax: 15,
            },
          }}
          action={senderWords.button}
          run={({ sender }) => post('/app/api/sms/senders', { sender })}
          topics={['sms']}
          done={() => senderWords.asked}
        />
      </Card>
    </Section>
  )
}

export default function SendersScreen() {
  const senders = useSenders()
  const mayManage = useMay('manage_account')
  return (
    <Page title={smsWords.senders}>
      <p className={css.note}>{senderWords.intro}</p>
      <QueryAnswer query={senders}>
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
      </QueryAnswer>
      {mayManage && <AskForm />}
    </Page>
  )
}
