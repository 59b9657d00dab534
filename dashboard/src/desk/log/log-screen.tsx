import { NativeSelect, TextInput } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { answerOf, api } from '../../both/api/call-api.ts'
import type { components } from '../../both/api/dashboard-api.d.ts'
import { inWords, valueInWords } from '../../both/in-words.ts'
import { Beside } from '../../both/layout/beside.tsx'
import { Page } from '../../both/layout/page.tsx'
import { Empty } from '../../both/layout/wait.tsx'
import { MorePages } from '../../both/list/more-pages.tsx'
import type { Column } from '../../both/list/table-or-cards.tsx'
import { type Filters, useFilters } from '../../both/list/use-filters.ts'
import { relativeMoment } from '../../both/moments/format-moment.ts'
import { FilterBar } from '../frame/filter-bar.tsx'
import { LiveTable } from '../frame/live-table.tsx'
import { pageRows } from '../frame/page-rows.ts'
import { BeforeAfter } from '../frame/panel.tsx'
import { frameWords } from '../words/frame.ts'
import { logWords as words } from '../words/log.ts'
import { nameAction, sentenceOf } from '../words/log-sentences.ts'
import { ChainState } from './chain-state.tsx'
import { LinePanel } from './line-panel.tsx'
import css from './log.module.css'

type Line = components['schemas']['LogPage']['lines'][number]

const keyOf = (line: Line) => String(line.line_id)

/** The first change of a line, and the number of its further changes. */
function FirstChange({ changes }: { readonly changes: Line['changes'] }) {
  const [first] = changes
  if (!first) return '—'
  const name = first.name === '' ? '' : `${first.name}: `
  return (
    <span className={css.cell}>
      {name}
      <BeforeAfter before={valueInWords(first.before ?? '—')} after={valueInWords(first.after ?? '—')} />
      {changes.length > 1 && ` ${words.moreChanges(changes.length - 1)}`}
    </span>
  )
}

const columns: readonly Column<Line>[] = [
  { title: words.what, isMain: true, show: sentenceOf },
  { title: words.at, show: ({ at }) => relativeMoment(at) },
  { title: words.change, show: ({ changes }) => <FirstChange changes={changes} /> },
  { title: words.reason, show: ({ reason }) => (reason === null ? '—' : inWords(reason)) },
]

const names = ['actor', 'action', 'subject', 'from', 'until'] as const
type Given = Filters<(typeof names)[number]>

const isDay = (text: string | undefined): text is string => text !== undefined && /^\d{4}-\d\d-\d\d$/.test(text)

/** The filters as the server takes them. Days are those of Accra, whose time is always UTC. */
function askedOf({ actor, action, subject, from, until }: Given) {
  return {
    ...(actor && { actor }),
    ...(action && { action }),
    ...(subject && { subject }),
    ...(isDay(from) && { from: `${from}T00:00:00.000Z` }),
    ...(isDay(until) && { until: `${until}T23:59:59.999Z` }),
  }
}

function LogFilters({ filters, onShow }: { readonly filters: Given; readonly onShow: (change: Given) => void }) {
  const query = useQuery({
    queryKey: ['desk', 'log', 'actions'],
    queryFn: ({ signal }) => answerOf(() => api.GET('/desk/api/log/actions', { signal })),
  })
  const known = query.data?.actions ?? []
  const actions = filters.action === undefined || known.includes(filters.action) ? known : [filters.action, ...known]
  const field = (name: (typeof names)[number]) => ({ name, defaultValue: filters[name] ?? '' })
  const text = { autoComplete: 'off', maxLength: 254 }
  return (
    <FilterBar
      // The chosen action is shown once the actions are known.
      key={known.length}
      label={words.filters}
      names={names}
      filters={filters}
      onShow={onShow}
      end={<a href={`/desk/api/log.csv?${new URLSearchParams(askedOf(filters)).toString()}`}>{words.file}</a>}
    >
      <TextInput label={words.actor} placeholder={words.actorHelp} {...text} {...field('actor')} />
      <NativeSelect
        label={words.action}
        data={[{ value: '', label: words.anyAction }, ...actions.map((value) => ({ value, label: nameAction(value) }))]}
        {...field('action')}
      />
      <TextInput label={words.subject} placeholder={words.subjectHelp} {...text} {...field('subject')} />
      <TextInput type="date" label={words.from} {...field('from')} />
      <TextInput type="date" label={words.until} {...field('until')} />
    </FilterBar>
  )
}

/** The operator's log: who did what by hand, and the proof that nothing of it was changed. */
export default function LogScreen() {
  const { filters, setFilters } = useFilters([...names, 'line'])
  const asked = askedOf(filters)
  const query = useInfiniteQuery({
    queryKey: ['desk', 'log', 'list', asked],
    initialPageParam: undefined as number | undefined,
    queryFn: ({ pageParam: before, signal }) =>
      answerOf(() =>
        api.GET('/desk/api/log', {
          params: { query: { ...asked, limit: pageRows, ...(before !== undefined && { before }) } },
          signal,
        }),
      ),
    getNextPageParam: ({ next }) => next ?? undefined,
  })
  const lines = query.data?.pages.flatMap((page) => page.lines) ?? []
  const chosen = lines.find((line) => keyOf(line) === filters.line)
  return (
    <Page title={frameWords.log} isWide>
      <Beside
        label={words.panel}
        panel={chosen && <LinePanel key={chosen.line_id} line={chosen} />}
        onClose={() => setFilters({ line: '' })}
      >
        <p>{words.lead}</p>
        <ChainState />
        <LogFilters filters={filters} onShow={(change) => setFilters({ ...change, line: '' })} />
        <MorePages query={query} more={words.more}>
          {() => (
            <LiveTable
              name={JSON.stringify(asked)}
              label={frameWords.log}
              columns={columns}
              rows={lines}
              keyOf={keyOf}
              selected={filters.line}
              onSelect={(line) => setFilters({ line })}
              empty={<Empty title={words.none}>{words.noneNext}</Empty>}
            />
          )}
        </MorePages>
      </Beside>
    </Page>
  )
}
