import { Group } from '@mantine/core'
import { post, type Schema } from '../../both/api/call-api.ts'
import { fieldWords } from '../../both/field-words.ts'
import { Act } from '../../both/form/act.tsx'
import { senderWords } from '../words/sms.ts'

export type DeskSender = Schema<'DeskSenders'>['senders'][number]
type Props = { readonly sender: DeskSender }

const topics = ['senders', 'accounts', 'sms'] as const

function Approve({ sender: { sender, account_id, account_name } }: Props) {
  return (
    <Act
      label={fieldWords.approve}
      question={senderWords.approveQuestion(sender)}
      reason="possible"
      button={{ size: 'compact-md', variant: 'filled' }}
      topics={topics}
      fields={{ is_default: { kind: 'tick', label: senderWords.asDefault } }}
      run={(reason, { is_default }) =>
        post('/desk/api/senders/approve', { account_id: account_id ?? '', sender, is_default, reason })
      }
    >
      <p>{senderWords.approveMeans(account_name ?? '')}</p>
    </Act>
  )
}

function Decline({ sender: { sender, account_id, account_name, status } }: Props) {
  const decline = (reason: string) => post('/desk/api/senders/reject', { account_id: account_id ?? '', sender, reason })
  return (
    <Act
      label={fieldWords.decline}
      question={senderWords.declineQuestion(sender)}
      reason="needed"
      reasonHelp={fieldWords.accountReadsReason}
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
  return (
    <Act
      label={senderWords.add}
      question={senderWords.addQuestion}
      topics={topics}
      fields={{
        sender: {
          kind: 'text',
          label: fieldWords.name,
          help: senderWords.addHelp,
          isNeeded: true,
          lengthMin: 3,
          lengthMax: 15,
        },
        is_default: { kind: 'tick', label: senderWords.addDefault },
      }}
      run={(_reason, given) => post('/desk/api/senders/pool', given)}
    >
      <p>{senderWords.addMeans}</p>
    </Act>
  )
}
