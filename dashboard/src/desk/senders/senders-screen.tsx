import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { answerOf, api } from '../../both/api/call-api.ts'
import { Page } from '../../both/layout/page.tsx'
import { Empty } from '../../both/layout/wait.tsx'
import { MorePages } from '../../both/list/more-pages.tsx'
import { LiveTable } from '../../both/list/paged-table.tsx'
import { State } from '../../both/list/state.tsx'
import type { Column } from '../../both/list/table-or-cards.tsx'
import { useFilters } from '../../both/list/use-filters.ts'
import { relativeMoment } from '../../both/moments/format-moment.ts'
import { formatCount } from '../../both/money/format-ghs.ts'
import { useMay } from '../me.ts'
import css from '../sms/sms.module.css'
import { senderWords } from '../words/sms.ts'
import { AddSender, type DeskSender, SenderActs } from './sender-acts.tsx'

type Group = keyof typeof senderWords.groups

function SenderState({ sender }: { readonly sender: DeskSender }) {
  const { word, tone } = senderWords.states[sender.status]
  return (
    <div>
      <State tone={tone}>{word}</State>
      {sender.is_default && <div className={css.note}>{senderWords.isDefault}</div>}
      {sender.decided_by !== null && <div className={css.note}>{senderWords.by(sender.decided_by)}</div>}
      {sender.reason !== null && <div className={css.note}>{sender.reason}</div>}
    </div>
  )
}

const name: Column<DeskSender> = { title: senderWords.sender, show: ({ sender }) => sender, isMain: true }
const account: Column<DeskSender> = {
  title: senderWords.account,
  show: ({ account_name: accountName, account: email }) => (
    <div>
      {accountName}
      <div className={css.note}>{email}</div>
    </div>
  ),
}
const asked: Column<DeskSender> = {
  title: senderWords.asked,
  show: ({ requested_at: at }) => <span className={css.nowrap}>{relativeMoment(at)}</span>,
}
const sent: Column<DeskSender> = {
  title: senderWords.sent,
  show: ({ campaigns }) => `${formatCount(campaigns)}${campaigns === 100 ? '+' : ''}`,
  isFigure: true,
}
const state: Column<DeskSender> = { title: senderWords.state, show: (sender) => <SenderState sender={sender} /> }
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

const keyOf = ({ sender_id: id }: DeskSender) => id

const empty: Readonly<Record<Group, { readonly title: string; readonly next?: string }>> = {
  waiting: { title: senderWords.emptyWaiting, next: senderWords.emptyWaitingNext },
  decided: { title: senderWords.emptyDecided },
  pool: { title: senderWords.emptyPool, next: senderWords.emptyPoolNext },
}

function Senders({ group }: { readonly group: Group }) {
  const mayDecide = useMay('manage_accounts')
  const query = useInfiniteQuery({
    queryKey: ['senders', group],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) => {
      const wanted = { group, ...(pageParam !== undefined && { after: pageParam }) }
      return answerOf(() => api.GET('/desk/api/senders', { params: { query: wanted }, signal }))
    },
    getNextPageParam: ({ next }) => next ?? undefined,
  })
  return (
    <MorePages query={query} more={senderWords.more}>
      {(pages) => {
        const senders = pages.flatMap((page) => page.senders)
        if (senders.length > 0) {
          const columns = (mayDecide ? columnsWithActs : columnsOf)[group]
          return <LiveTable key={group} name={group} label={senderWords.title} columns={columns} rows={senders} keyOf={keyOf} />
        }
        return <Empty title={empty[group].title}>{empty[group].next}</Empty>
      }}
    </MorePages>
  )
}

/** The sender names of SMS: waiting ones first, decided ones, and the pool that every account may use. */
export default function SendersScreen() {
  const { filters } = useFilters(['group'])
  const mayAdd = useMay('manage_settings')
  const group: Group = filters.group === 'decided' || filters.group === 'pool' ? filters.group : 'waiting'
  return (
    <Page title={senderWords.title} isWide end={group === 'pool' && mayAdd && <AddSender />}>
      <nav className={css.tabs} aria-label={senderWords.groupLabel}>
        {Object.entries(senderWords.groups).map(([each, title]) => (
          <Link
            key={each}
            href={each === 'waiting' ? '/senders' : `/senders?group=${each}`}
            aria-current={each === group ? 'page' : undefined}
          >
            {title}
          </Link>
        ))}
      </nav>
      <Senders group={group} />
    </Page>
  )
}
