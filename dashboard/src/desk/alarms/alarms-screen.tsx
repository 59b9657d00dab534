import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useLocation, useParams } from 'wouter'
import { answerOf, api } from '../../both/api/call-api.ts'
import type { components } from '../../both/api/dashboard-api.d.ts'
import { inWords } from '../../both/in-words.ts'
import { Beside } from '../../both/layout/beside.tsx'
import { Page } from '../../both/layout/page.tsx'
import { Empty } from '../../both/layout/wait.tsx'
import { MorePages } from '../../both/list/more-pages.tsx'
import { State } from '../../both/list/state.tsx'
import { type Column, TableOrCards } from '../../both/list/table-or-cards.tsx'
import { useFilters } from '../../both/list/use-filters.ts'
import { exactMoment, relativeMoment } from '../../both/moments/format-moment.ts'
import { placeOf } from '../find/place-of.ts'
import { Act } from '../frame/act.tsx'
import { Choices } from '../frame/choices.tsx'
import { NewRows } from '../frame/new-rows.tsx'
import { useLiveRows } from '../frame/use-live-rows.ts'
import { useMay } from '../me.ts'
import { alarmWords as words } from '../words/alarms.ts'
import { AlarmTools } from './alarm-tools.tsx'
import css from './alarms.module.css'

type Alarm = components['schemas']['Alarm']

const columns: readonly Column<Alarm>[] = [
  {
    title: words.since,
    show: ({ raised_at: at }) => (
      <time dateTime={at} title={exactMoment(at)}>
        {relativeMoment(at)}
      </time>
    ),
  },
  { title: words.alarm, isMain: true, show: ({ name }) => words.titleOf(name) },
  { title: words.about, show: ({ subject }) => inWords(subject) },
  {
    title: words.state,
    show: ({ cleared_at: clearedAt }) =>
      clearedAt === null ? <State tone="wait">{words.stands}</State> : <State tone="done">{words.cleared}</State>,
  },
]

function AlarmPanel({ alarm, onCleared }: { readonly alarm: Alarm; readonly onCleared: () => void }) {
  const { name, subject, message, raised_at: raisedAt, last_seen_at: seenAt, cleared_at: clearedAt } = alarm
  const mayClear = useMay('handle_alarms')
  const path = words.pathOf(name)
  const place = path === undefined ? undefined : placeOf(path)
  return (
    <div className={css.panel}>
      <h2>{words.titleOf(name)}</h2>
      <div className={css.subject}>{inWords(subject)}</div>
      <p>{inWords(message)}</p>
      <dl>
        <dt>{words.since}</dt>
        <dd>{exactMoment(raisedAt)}</dd>
        <dt>{words.lastSeen}</dt>
        <dd>{exactMoment(seenAt)}</dd>
        {clearedAt !== null && (
          <>
            <dt>{words.clearedAt}</dt>
            <dd>{exactMoment(clearedAt)}</dd>
          </>
        )}
      </dl>
      {place !== undefined && (
        <Button component={Link} href={place} variant="default">
          {words.toPlace}
        </Button>
      )}
      {mayClear && clearedAt === null && (
        <Act
          label={words.clear}
          question={words.clearQuestion}
          reason="needed"
          reasonLabel={words.clearReason}
          topics={['alarms']}
          run={(reason) => answerOf(() => api.POST('/desk/api/alarms/clear', { body: { name, subject, reason } }))}
          onDone={onCleared}
        >
          <p>
            <b>{words.titleOf(name)}</b>: {inWords(subject)}
          </p>
          <p>{words.clearEffect}</p>
        </Act>
      )}
    </div>
  )
}

type ListProps = {
  readonly state: 'open' | 'past'
  readonly alarms: readonly Alarm[]
  readonly chosen: string | undefined
  readonly choose: (id: string) => void
}

function AlarmList({ state, alarms, chosen, choose }: ListProps) {
  const rows = useLiveRows(state, alarms, ({ alarm_id }) => alarm_id)
  const panel = rows.shown.find(({ alarm_id }) => alarm_id === chosen)
  return (
    <Beside
      label={words.alarm}
      panel={panel && <AlarmPanel key={panel.alarm_id} alarm={panel} onCleared={() => choose('')} />}
      onClose={() => choose('')}
    >
      <NewRows rows={rows} />
      {rows.shown.length === 0 ? (
        <Empty title={state === 'open' ? words.noneOpen : words.nonePast} />
      ) : (
        <TableOrCards
          label={words.title}
          columns={columns}
          rows={rows.shown}
          keyOf={({ alarm_id }) => alarm_id}
          onSelect={({ alarm_id }) => choose(alarm_id)}
          selectedKey={chosen}
        />
      )}
    </Beside>
  )
}

/** Open and past alarms, and the ways in which people get them. */
export default function AlarmsScreen() {
  const { filters, setFilters, search } = useFilters(['state'])
  const { alarm } = useParams<{ alarm?: string }>()
  const [, navigate] = useLocation()
  const choose = (id: string) => navigate(id === '' ? `/alarms${search}` : `/alarms/${id}${search}`)
  const state = filters.state === 'past' ? 'past' : 'open'
  const query = useInfiniteQuery({
    queryKey: ['desk', 'alarms', state],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      answerOf(() =>
        api.GET('/desk/api/alarms', {
          params: { query: { state, ...(pageParam !== undefined && { after: pageParam }) } },
          signal,
        }),
      ),
    getNextPageParam: ({ next }) => next ?? undefined,
  })
  return (
    <Page title={words.title} isWide>
      <div className={css.head}>
        <Choices
          label={words.states}
          value={state}
          options={[
            { value: 'open', label: words.open },
            { value: 'past', label: words.past },
          ]}
          onChoose={(chosen) => setFilters({ state: chosen === 'past' ? 'past' : '' })}
        />
        <AlarmTools />
      </div>
      <MorePages query={query} more={words.more}>
        {(pages) => <AlarmList state={state} alarms={pages.flatMap(({ alarms }) => alarms)} chosen={alarm} choose={choose} />}
      </MorePages>
    </Page>
  )
}
