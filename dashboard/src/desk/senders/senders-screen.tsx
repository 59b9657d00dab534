import { fieldWords } from '../../both/field-words.ts'
import { ListScreen } from '../../both/list/list-screen.tsx'
import { StateOf } from '../../both/list/state.tsx'
import type { Column } from '../../both/list/table-or-cards.tsx'
import { relativeMoment } from '../../both/moments/format-moment.ts'
import { formatCount } from '../../both/money/format-ghs.ts'
import look from '../frame/look.module.css'
import { useMay } from '../me.ts'
import { senderWords } from '../words/sms.ts'
import { AddSender, type DeskSender, SenderActs } from './sender-acts.tsx'

type Group = keyof typeof senderWords.groups

function SenderState({ sender }: { readonly sender: DeskSender }) {
  return (
    <div>
      <StateOf {...senderWords.states[sender.status]} />
      {sender.is_default && <div className="soft fine">{senderWords.isDefault}</div>}
      {sender.decided_by !== null && <div className="soft fine">{senderWords.by(sender.decided_by)}</div>}
      {sender.reason !== null && <div className="soft fine">{sender.reason}</div>}
    </div>
  )
}

const name: Column<DeskSender> = { title: fieldWords.name, show: ({ sender }) => sender, isMain: true }
const account: Column<DeskSender> = {
  title: fieldWords.account,
  show: ({ account_name: accountName, account: email }) => (
    <div>
      {accountName}
      <div className="soft fine">{email}</div>
    </div>
  ),
}
const asked: Column<DeskSender> = {
  title: senderWords.asked,
  show: ({ requested_at: at }) => <span className={look.nowrap}>{relativeMoment(at)}</span>,
}
const sent: Column<DeskSender> = {
  title: senderWords.sent,
  show: ({ campaigns }) => `${formatCount(campaigns)}${campaigns === 100 ? '+' : ''}`,
  isFigure: true,
}
const state: Column<DeskSender> = { title: fieldWords.state, show: (sender) => <SenderState sender={sender} /> }
const act: Column<DeskSender> = { title: senderWords.act, show: (sender) => <SenderActs sender={sender} /> }

const columnsOf: Readonly<Record<Group, readonly Column<DeskSender>[]>> = {
  waiting: [asked, name, account, sent],
  decided: [asked, name, account, sent, state],
  pool: [name, state],
}
const columnsWithActs: Readonly<Record<Group, readonly Column<DeskSender>[]>> = {
  waiting: [...columnsOf.waiting, act],
  decided: [...columnsOf.decided, act],
  pool: columnsOf.pool,
}

const empty: Readonly<Record<Group, { readonly title: string; readonly next?: string }>> = {
  waiting: { title: senderWords.emptyWaiting, next: senderWords.emptyWaitingNext },
  decided: { title: fieldWords.nothingDecided },
  pool: { title: senderWords.emptyPool, next: senderWords.emptyPoolNext },
}

/**
 * The sender names of SMS, in three views: those that wait, those that were decided, and the pool that every account may use.
 */
export default function SendersScreen() {
  const mayAdd = useMay('manage_settings')
  const columns = useMay('manage_accounts') ? columnsWithActs : columnsOf
  return (
    <ListScreen
      title={senderWords.title}
      end={({ view }) => view === 'pool' && mayAdd && <AddSender />}
      at="/senders"
      views={{ name: 'group', label: senderWords.groupLabel, options: senderWords.groups, areLinks: true }}
      topic="senders"
      path="/desk/api/senders"
      rows="senders"
      asked={(_filters, group) => ({ group })}
      more={senderWords.more}
      columns={(group) => columns[group]}
      keyOf={({ sender_id }) => sender_id}
      empty={(_isFiltered, group) => empty[group]}
    />
  )
}
