import { Button, NativeSelect } from '@mantine/core'
import { useEffect, useState } from 'react'
import type { Schema } from '../../both/api/call-api.ts'
import { useRead } from '../../both/api/use-read.ts'
import { fieldWords } from '../../both/field-words.ts'
import { bindText } from '../../both/form/typed.ts'
import { Section } from '../../both/layout/page.tsx'
import { QueryAnswer } from '../../both/layout/query-states.tsx'
import { StateOf } from '../../both/list/state.tsx'
import { TableOrCards } from '../../both/list/table-or-cards.tsx'
import { Moment } from '../../both/moments/moment.tsx'
import { groupDigits } from '../../both/phones.ts'
import { cancelledStates, messageStates } from '../../both/sms/campaign-words.ts'
import type { DeliveryCounts } from '../../both/sms/delivery.tsx'
import { campaignWords } from '../words/sms.ts'
import type { Campaign } from './ask-sms.ts'
import css from './sms.module.css'

type MessageState = keyof typeof messageStates
const states = Object.keys(messageStates) as MessageState[]

type Messages = Schema<'SmsAppMessages'>['messages']

type TableProps = { readonly rows: Messages; readonly cancelledBy: Campaign['cancelled_by'] }

function MessageTable({ rows, cancelledBy }: TableProps) {
  return (
    <TableOrCards
      label={campaignWords.numbers}
      rows={rows}
      empty={{ title: campaignWords.none }}
      keyOf={({ number }) => number}
      columns={[
        { title: fieldWords.number, isMain: true, show: ({ number }) => groupDigits(number) },
        {
          title: fieldWords.state,
          show: ({ status, is_cancelled }) => (
            <StateOf {...(is_cancelled ? cancelledStates[cancelledBy ?? 'platform'] : messageStates[status])} />
          ),
        },
        { title: campaignWords.changed, show: ({ updated_at }) => <Moment at={updated_at} /> },
      ]}
    />
  )
}

type FilterProps = {
  readonly delivery: DeliveryCounts
  readonly value: MessageState | ''
  readonly onChange: (state: MessageState | '') => void
}

function StateFilter({ delivery, value, onChange }: FilterProps) {
  return (
    <NativeSelect
      aria-label={fieldWords.state}
      data={[
        { value: '', label: fieldWords.all },
        ...states
          // The chosen state stays, or the field would show "All" above the list of that state.
          .filter((state) => state === value || (delivery[state] ?? 0) > 0)
          .map((state) => ({ value: state, label: messageStates[state].word })),
      ]}
      {...bindText(value, (text) => onChange(text as MessageState | ''))}
    />
  )
}

/** The numbers of a campaign with their states, a hundred at a time. */
export function CampaignMessages({ campaign }: { readonly campaign: Campaign }) {
  const [{ status, page }, setShown] = useState<{ status: MessageState | ''; page: number }>({ status: '', page: 0 })
  const { campaign_id, delivery, cancelled_by } = campaign
  const messages = useRead('sms', '/app/api/sms/campaigns/{campaign_id}/messages', {
    campaign_id,
    page,
    status: status || undefined,
  })
  const { refetch } = messages
  // When the counts of the campaign change, the list of its numbers is read again.
  useEffect(() => void refetch(), [delivery, refetch])
  return (
    <Section
      title={campaignWords.numbers}
      end={<StateFilter delivery={delivery} value={status} onChange={(state) => setShown({ status: state, page: 0 })} />}
    >
      <QueryAnswer query={messages}>
        {({ messages: rows, has_more }) => (
          <>
            <MessageTable rows={rows} cancelledBy={cancelled_by} />
            {(page > 0 || has_more) && (
              <div className={css.actions}>
                <Button variant="default" disabled={page === 0} onClick={() => setShown({ status, page: page - 1 })}>
                  {campaignWords.previous}
                </Button>
                <Button variant="default" disabled={!has_more} onClick={() => setShown({ status, page: page + 1 })}>
                  {campaignWords.next}
                </Button>
              </div>
            )}
          </>
        )}
      </QueryAnswer>
    </Section>
  )
}
