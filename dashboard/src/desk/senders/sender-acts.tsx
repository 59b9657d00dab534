import { Checkbox, Group, TextInput } from '@mantine/core'
import { useState } from 'react'
import { answerOf, api } from '../../both/api/call-api.ts'
import type { components } from '../../both/api/dashboard-api.d.ts'
import { Act } from '../../both/form/act.tsx'
import { senderWords } from '../words/sms.ts'

export type DeskSender = components['schemas']['DeskSenders']['senders'][number]
type Props = { readonly sender: DeskSender }

const topics = ['senders', 'accounts', 'sms'] as const

function Approve({ sender: { sender, account_id, account_name } }: Props) {
  const [isDefault, setDefault] = useState(false)
  const approve = (reason: string) =>
    answerOf(() =>
      api.POST('/desk/api/senders/approve', {
        body: { account_id: account_id ?? '', sender, is_default: isDefault, reason },
      }),
    )
  return (
    <Act
      label={senderWords.approve}
      question={senderWords.approveQuestion(sender)}
      reason="possible"
      button={{ size: 'compact-md', variant: 'filled' }}
      topics={topics}
      run={approve}
    >
      <p>{senderWords.approveMeans(account_name ?? '')}</p>
      <Checkbox
        mt={12}
        label={senderWords.asDefault}
        checked={isDefault}
        onChange={({ currentTarget }) => setDefault(currentTarget.checked)}
      />
    </Act>
  )
}

function Decline({ sender: { sender, account_id, account_name, status } }: Props) {
  const decline = (reason: string) =>
    answerOf(() => api.POST('/desk/api/senders/reject', { body: { account_id: account_id ?? '', sender, reason } }))
  return (
    <Act
      label={senderWords.decline}
      question={senderWords.declineQuestion(sender)}
      reason="needed"
      reasonHelp={senderWords.reasonHelp}
      isGrave={status === 'approved'}
      button={{ size: 'compact-md', variant: 'default' }}
      topics={topics}
      run={decline}
    >
      <p>{status === 'approved' ? senderWords.revokeMeans(account_name ?? '') : senderWords.declineMeans(account_name ?? '')}</p>
    </Act>
  )
}

/** The buttons for a sender name. An approved name can be declined later, and a declined one approved. */
export function SenderActs({ sender }: Props) {
  return (
    <Group gap={8} wrap="nowrap">
      {sender.status !== 'approved' && <Approve sender={sender} />}
      {sender.status !== 'rejected' && <Decline sender={sender} />}
    </Group>
  )
}

/** Adds a name that every account may use. */
export function AddSender() {
  const [sender, setSender] = useState('')
  const [isDefault, setDefault] = useState(false)
  const add = () => answerOf(() => api.POST('/desk/api/senders/pool', { body: { sender: sender.trim(), is_default: isDefault } }))
  return (
    <Act
      label={senderWords.add}
      question={senderWords.addQuestion}
      topics={topics}
      run={add}
      onDone={() => {
        setSender('')
        setDefault(false)
      }}
    >
      <p>{senderWords.addMeans}</p>
      <TextInput
        mt={12}
        label={senderWords.addField}
        description={senderWords.addHelp}
        required
        minLength={3}
        maxLength={15}
        value={sender}
        onChange={({ currentTarget }) => setSender(currentTarget.value)}
      />
      <Checkbox
        mt={12}
        label={senderWords.addDefault}
        checked={isDefault}
        onChange={({ currentTarget }) => setDefault(currentTarget.checked)}
      />
    </Act>
  )
}
