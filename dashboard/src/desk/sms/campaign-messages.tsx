import { NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { type Schema } from '../../both/api/call-api.ts'
import { usePages } from '../../both/api/use-read.ts'
import { fieldWords } from '../../both/field-words.ts'
import { bindText } from '../../both/form/typed.ts'
import { Section } from '../../both/layout/page.tsx'
import { MorePages } from '../../both/list/more-pages.tsx'
import { Row, Rows } from '../../both/list/rows.tsx'
import { StateOf } from '../../both/list/state.tsx'
import { messageStates } from '../../both/sms/campaign-words.ts'
import { deskSmsWords } from '../words/sms.ts'

type Message = Schema<'DeskMessages'>['messages'][number]
type Status = Message['status']

const choices = [
  { value: '', label: deskSmsWords.anyState },
  ...Object.entries(messageStates).map(([value, { word: label }]) => ({ value, label })),
]

export function CampaignMessages({ campaignId }: { readonly campaignId: string }) {
  const [status, setStatus] = useState<Status | ''>('')
  const query = usePages('sms', '/desk/api/sms/campaigns/{campaign_id}/messages', {
    campaign_id: campaignId,
    status: status === '' ? undefined : status,
  })
  return (
    <Section title={deskSmsWords.messages}>
      <NativeSelect
        mb={12}
        aria-label={fieldWords.only}
        data={choices}
        {...bindText(status, (value) => setStatus(value as Status | ''))}
      />
      <MorePages query={query} more={deskSmsWords.moreMessages}>
        {(pages) => {
          const messages = pages.flatMap((page) => page.messages)
          if (messages.length === 0) return <p>{deskSmsWords.noMessages}</p>
          return (
            <Rows label={deskSmsWords.messages}>
              {messages.map(({ n, number, status: state, supplier, reason }) => {
                const words = [supplier, reason].filter((word) => word !== null).join(': ')
                return (
                  <Row
                    key={n}
                    title={number}
                    {...(words !== '' && { detail: words })}
                    end={<StateOf {...messageStates[state]} />}
                  />
                )
              })}
            </Rows>
          )
        }}
      </MorePages>
    </Section>
  )
}
