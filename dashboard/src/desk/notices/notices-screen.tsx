import { Link } from 'wouter'
import type { Schema } from '../../both/api/call-api.ts'
import { usePages } from '../../both/api/use-read.ts'
import { fieldWords } from '../../both/field-words.ts'
import { ListWithPanel } from '../../both/layout/beside.tsx'
import { Page, Section } from '../../both/layout/page.tsx'
import { FilterBar } from '../../both/list/filter-bar.tsx'
import { usePanelRow } from '../../both/list/list-screen.tsx'
import { PagedTable } from '../../both/list/paged-table.tsx'
import { StateOf } from '../../both/list/state.tsx'
import type { Column } from '../../both/list/table-or-cards.tsx'
import { useFilters } from '../../both/list/use-filters.ts'
import { exactMoment } from '../../both/moments/format-moment.ts'
import { Moment } from '../../both/moments/moment.tsx'
import { noticeStates } from '../../both/notice-states.ts'
import { findScreenPath } from '../find/find-screen-path.ts'
import { Facts, Panel } from '../frame/panel.tsx'
import { noticeWords as words } from '../words/notices.ts'
import { Incidents } from './incidents.tsx'
import css from './notices.module.css'

type Notice = Schema<'DeskNotice'>

const columns: readonly Column<Notice>[] = [
  { title: fieldWords.when, show: ({ created_at: at }) => <Moment at={at} /> },
  { title: words.subject, isMain: true, show: ({ subject }) => subject },
  { title: fieldWords.account, show: ({ account: { name } }) => name },
  { title: fieldWords.way, show: ({ channel }) => words.channels[channel] },
  {
    title: fieldWords.state,
    show: ({ state }) => <StateOf {...noticeStates[state]} />,
  },
]

function NoticePanel({ notice }: { readonly notice: Notice }) {
  const place = findScreenPath(`/accounts/${notice.account_id}`)
  const account = `${notice.account.name} (${notice.account.email})`
  return (
    <Panel title={notice.subject} state={<StateOf {...noticeStates[notice.state]} />}>
      <p className={css.text}>{notice.text}</p>
      <Facts
        label={words.subject}
        facts={{
          [fieldWords.account]: place === undefined ? account : <Link href={place}>{account}</Link>,
          [fieldWords.way]: words.channels[notice.channel],
          [words.to]: notice.sent_to,
          [fieldWords.when]: exactMoment(notice.created_at),
          [words.tries]: notice.tries,
          [fieldWords.whyNot]: notice.reason,
        }}
      />
    </Panel>
  )
}

const keyOf = ({ notice_id: id }: Notice) => id

/** The messages to all resellers, and the notices to each. */
export default function NoticesScreen() {
  const { filters, setFilters } = useFilters(['account', 'notice', 'tell'])
  const { account, notice } = filters
  const query = usePages('notices', '/desk/api/notices', { account })
  const kept = usePanelRow(notice, query.data?.pages.flatMap(({ notices }) => notices) ?? [], keyOf)
  return (
    <Page title={fieldWords.notices} isWide>
      <Incidents
        isAnnouncing={filters.tell !== undefined}
        setAnnouncing={(isAnnouncing) => setFilters({ tell: isAnnouncing ? 'yes' : '' })}
      />
      <Section
        title={words.sent}
        end={
          <FilterBar
            fields={{ account: { label: fieldWords.account, placeholder: words.accountHelp, isLabelHidden: true } }}
            filters={filters}
            action={fieldWords.show}
            onShow={(found) => setFilters({ ...found, notice: '' })}
          />
        }
      >
        <ListWithPanel
          label={words.subject}
          panel={kept && <NoticePanel notice={kept} />}
          onClose={() => setFilters({ notice: '' })}
        >
          <PagedTable
            query={query}
            rowsOf={({ notices }) => notices}
            more={fieldWords.showOlder}
            name={account ?? ''}
            label={words.sent}
            columns={columns}
            keyOf={keyOf}
            selected={notice}
            onSelect={(id) => setFilters({ notice: id })}
            empty={{ title: words.noNotices, next: words.noNoticesNext }}
          />
        </ListWithPanel>
      </Section>
    </Page>
  )
}
