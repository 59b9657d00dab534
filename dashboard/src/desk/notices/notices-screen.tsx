import { Button, TextInput } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Link } from 'wouter'
import { answerOf, api } from '../../both/api/call-api.ts'
import type { components } from '../../both/api/dashboard-api.d.ts'
import { Beside } from '../../both/layout/beside.tsx'
import { Page, Section } from '../../both/layout/page.tsx'
import { Empty } from '../../both/layout/wait.tsx'
import { MorePages } from '../../both/list/more-pages.tsx'
import { State } from '../../both/list/state.tsx'
import { type Column, TableOrCards } from '../../both/list/table-or-cards.tsx'
import { useFilters } from '../../both/list/use-filters.ts'
import { exactMoment, relativeMoment } from '../../both/moments/format-moment.ts'
import { placeOf } from '../find/place-of.ts'
import { NewRows } from '../frame/new-rows.tsx'
import { useLiveRows } from '../frame/use-live-rows.ts'
import { noticeStates, noticeWords as words } from '../words/notices.ts'
import { Incidents } from './incidents.tsx'
import css from './notices.module.css'

type Notice = components['schemas']['DeskNotice']

const columns: readonly Column<Notice>[] = [
  {
    title: words.when,
    show: ({ created_at: at }) => (
      <time dateTime={at} title={exactMoment(at)}>
        {relativeMoment(at)}
      </time>
    ),
  },
  { title: words.subject, isMain: true, show: ({ subject }) => subject },
  { title: words.account, show: ({ account: { name } }) => name },
  { title: words.channel, show: ({ channel }) => words.channels[channel] },
  {
    title: words.state,
    show: ({ state }) => <State tone={noticeStates[state].tone}>{noticeStates[state].word}</State>,
  },
]

function NoticePanel({ notice }: { readonly notice: Notice }) {
  const place = placeOf(`/accounts/${notice.account_id}`)
  const { name, email } = notice.account
  return (
    <div className={css.panel}>
      <h2>{notice.subject}</h2>
      <State tone={noticeStates[notice.state].tone}>{noticeStates[notice.state].word}</State>
      <p className={css.text}>{notice.text}</p>
      <dl>
        <dt>{words.account}</dt>
        <dd>{place === undefined ? `${name} (${email})` : <Link href={place}>{`${name} (${email})`}</Link>}</dd>
        <dt>{words.channel}</dt>
        <dd>{words.channels[notice.channel]}</dd>
        {notice.sent_to !== null && (
          <>
            <dt>{words.to}</dt>
            <dd>{notice.sent_to}</dd>
          </>
        )}
        <dt>{words.when}</dt>
        <dd>{exactMoment(notice.created_at)}</dd>
        <dt>{words.tries}</dt>
        <dd>{notice.tries}</dd>
        {notice.reason !== null && (
          <>
            <dt>{words.reason}</dt>
            <dd>{notice.reason}</dd>
          </>
        )}
      </dl>
    </div>
  )
}

type ListProps = {
  readonly list: string
  readonly notices: readonly Notice[]
  readonly chosen: string | undefined
  readonly choose: (id: string) => void
}

function NoticeList({ list, notices, chosen, choose }: ListProps) {
  const rows = useLiveRows(list, notices, ({ notice_id: id }) => id)
  const panel = rows.shown.find(({ notice_id: id }) => id === chosen)
  return (
    <Beside label={words.subject} panel={panel && <NoticePanel notice={panel} />} onClose={() => choose('')}>
      <NewRows rows={rows} />
      {rows.shown.length === 0 ? (
        <Empty title={words.noNotices}>{words.noNoticesNext}</Empty>
      ) : (
        <TableOrCards
          label={words.sent}
          columns={columns}
          rows={rows.shown}
          keyOf={({ notice_id: id }) => id}
          onSelect={({ notice_id: id }) => choose(id)}
          selectedKey={chosen}
        />
      )}
    </Beside>
  )
}

function AccountFilter({ account, onFind }: { readonly account: string; readonly onFind: (account: string) => void }) {
  const [text, setText] = useState(account)
  const find = (event: FormEvent) => {
    event.preventDefault()
    onFind(text.trim())
  }
  return (
    <form onSubmit={find} className={css.filter}>
      <TextInput
        aria-label={words.account}
        placeholder={words.accountHelp}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <Button type="submit" variant="default">
        {words.find}
      </Button>
    </form>
  )
}

/** The messages to all resellers, and the notices to each. */
export default function NoticesScreen() {
  const { filters, setFilters } = useFilters(['account', 'notice', 'tell'])
  const account = filters.account ?? ''
  const query = useInfiniteQuery({
    queryKey: ['desk', 'notices', 'sent', account],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      answerOf(() =>
        api.GET('/desk/api/notices', {
          params: { query: { ...(account !== '' && { account }), ...(pageParam !== undefined && { after: pageParam }) } },
          signal,
        }),
      ),
    getNextPageParam: ({ next }) => next ?? undefined,
  })
  return (
    <Page title={words.title} isWide>
      <Incidents
        isTelling={filters.tell !== undefined}
        setTelling={(isTelling) => setFilters({ tell: isTelling ? 'yes' : '' })}
      />
      <Section
        title={words.sent}
        end={<AccountFilter key={account} account={account} onFind={(found) => setFilters({ account: found, notice: '' })} />}
      >
        <MorePages query={query} more={words.more}>
          {(pages) => (
            <NoticeList
              list={account}
              notices={pages.flatMap(({ notices }) => notices)}
              chosen={filters.notice}
              choose={(notice) => setFilters({ notice })}
            />
          )}
        </MorePages>
      </Section>
    </Page>
  )
}
