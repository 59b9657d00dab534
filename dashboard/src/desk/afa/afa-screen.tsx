import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { answerOf, api } from '../../both/api/call-api.ts'
import type { components } from '../../both/api/dashboard-api.d.ts'
import { Beside } from '../../both/layout/beside.tsx'
import { Page } from '../../both/layout/page.tsx'
import { Empty } from '../../both/layout/wait.tsx'
import { MorePages } from '../../both/list/more-pages.tsx'
import { type Column, TableOrCards } from '../../both/list/table-or-cards.tsx'
import { type Filters, useFilters } from '../../both/list/use-filters.ts'
import { relativeMoment } from '../../both/moments/format-moment.ts'
import { Moment } from '../../both/moments/moment.tsx'
import { formatCount, formatGhs } from '../../both/money/format-ghs.ts'
import { Figures } from '../frame/figures.tsx'
import { NewRows } from '../frame/new-rows.tsx'
import { useLiveRows } from '../frame/use-live-rows.ts'
import { useMay } from '../me.ts'
import { afaWords } from '../words/afa.ts'
import { frameWords } from '../words/frame.ts'
import css from './afa.module.css'
import { ClaimMany, ClaimNext, ExportMine, nameOf, type Registration } from './afa-acts.tsx'
import { AfaPanel, AfaState } from './afa-panel.tsx'

type Queue = components['schemas']['AfaQueue']
type Choice = keyof typeof afaWords.states
type AfaFilters = Filters<'state' | 'reference' | 'order'>

/** A registration that waits longer than this asks for attention. */
const patienceHours = 24

function Waits({ registration: { created_at: at, status } }: { readonly registration: Registration }) {
  const hours = (Date.now() - new Date(at).getTime()) / 3_600_000
  return (
    <span className={status === 'pending' && hours > patienceHours ? css.old : undefined}>
      <Moment at={at} />
    </span>
  )
}

const columns: readonly Column<Registration>[] = [
  { title: afaWords.person, isMain: true, show: nameOf },
  { title: afaWords.status, show: (registration) => <AfaState registration={registration} /> },
  { title: afaWords.waits, show: (registration) => <Waits registration={registration} /> },
  { title: afaWords.reseller, show: ({ account_name }) => account_name },
  { title: afaWords.reference, show: ({ reference }) => <span className={css.reference}>{reference}</span> },
  { title: afaWords.fee, isFigure: true, show: ({ fee }) => formatGhs(fee) },
]

const keyOf = ({ order_id }: Registration) => order_id

function useQueue({ state, reference }: AfaFilters) {
  const query = { state: (state ?? 'open') as Choice, ...(reference !== undefined && { reference }), limit: 50 }
  return useInfiniteQuery({
    queryKey: ['desk', 'afa', query],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      answerOf(() =>
        api.GET('/desk/api/afa', {
          params: { query: { ...query, ...(pageParam !== undefined && { after: pageParam }) } },
          signal,
        }),
      ),
    getNextPageParam: ({ next }) => next ?? undefined,
  })
}

function QueueFigures({ counts }: { readonly counts: Queue['counts'] }) {
  const { waiting, mine, others, oldest_waiting: oldest, oldest_claimed: longest } = counts
  const isOld = oldest !== null && Date.now() - new Date(oldest).getTime() > patienceHours * 3_600_000
  return (
    <Figures
      label={afaWords.figures}
      figures={[
        {
          label: afaWords.waiting,
          value: formatCount(waiting),
          detail: oldest === null ? afaWords.nobodyWaits : afaWords.oldest(relativeMoment(oldest)),
          tone: isOld ? 'warn' : 'plain',
        },
        { label: afaWords.mine, value: formatCount(mine) },
        {
          label: afaWords.others,
          value: formatCount(others),
          ...(longest !== null && { detail: afaWords.longest(relativeMoment(longest)) }),
        },
      ]}
    />
  )
}

function AfaFilterFields({
  filters,
  onChange,
}: {
  readonly filters: AfaFilters
  readonly onChange: (change: AfaFilters) => void
}) {
  const [typed, setTyped] = useState(filters.reference ?? '')
  return (
    <form
      className={css.filters}
      onSubmit={(event) => {
        event.preventDefault()
        const reference = typed.trim()
        if (reference !== '') onChange({ reference, state: 'all' })
        // Without the search the queue is shown again as at first.
        else if (filters.reference !== undefined) onChange({ reference, state: '' })
      }}
    >
      <NativeSelect
        label={afaWords.state}
        data={Object.entries(afaWords.states).map(([value, label]) => ({ value, label }))}
        value={filters.state ?? 'open'}
        onChange={({ currentTarget }) => onChange({ state: currentTarget.value === 'open' ? '' : currentTarget.value })}
      />
      <TextInput
        label={afaWords.find}
        type="search"
        value={typed}
        maxLength={100}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      <Button type="submit" variant="default">
        {afaWords.search}
      </Button>
    </form>
  )
}

type QueueTableProps = {
  readonly rows: readonly Registration[]
  readonly list: string
  readonly isOpen: boolean
  readonly selected: string | undefined
  readonly onSelect: (registration: Registration) => void
}

function QueueTable({ rows, list, isOpen, selected, onSelect }: QueueTableProps) {
  const mayWork = useMay('settle_orders')
  const live = useLiveRows(list, rows, keyOf)
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set())
  const waiting = live.shown.filter((row) => row.status === 'pending' && ticked.has(row.order_id))
  if (live.shown.length === 0 && live.newCount === 0) {
    return isOpen ? (
      <Empty title={afaWords.none}>{afaWords.noneHelp}</Empty>
    ) : (
      <Empty title={afaWords.noneFound}>{afaWords.noneFoundHelp}</Empty>
    )
  }
  return (
    <>
      <NewRows rows={live} />
      {mayWork && waiting.length > 0 && (
        <ClaimMany references={waiting.map(({ reference }) => reference)} onDone={() => setTicked(new Set())} />
      )}
      <TableOrCards
        label={afaWords.queue}
        columns={columns}
        rows={live.shown}
        keyOf={keyOf}
        onSelect={onSelect}
        selectedKey={selected}
        ticks={mayWork ? { keys: ticked, set: setTicked } : undefined}
      />
    </>
  )
}

/** The queue of AFA registrations, those that wait longest first. */
export default function AfaScreen() {
  const mayWork = useMay('settle_orders')
  const { filters, setFilters } = useFilters(['state', 'reference', 'order'])
  const select = useCallback(({ order_id }: Registration) => setFilters({ order: order_id }), [setFilters])
  const query = useQueue(filters)
  const rows = query.data?.pages.flatMap((page) => page.orders) ?? []
  const [first] = query.data?.pages ?? []
  const [kept, setKept] = useState<Registration>()
  const [version, setVersion] = useState(0)
  const found = rows.find(({ order_id }) => order_id === filters.order)
  if (found && found !== kept) setKept(found)
  // A registration that ended leaves the list. It stays in the panel while somebody reads it there.
  const chosen = found ?? (kept?.order_id === filters.order ? kept : undefined)
  const mine = first?.counts.mine ?? 0
  // After the reader's own act the list begins anew. Rows keep their places only while others act.
  const begin = () => setVersion((before) => before + 1)
  return (
    <Page
      title={frameWords.afa}
      isWide
      end={
        mayWork && (
          <div className={css.ends}>
            {mine > 0 && <ExportMine count={mine} />}
            <ClaimNext onDone={begin} />
          </div>
        )
      }
    >
      <Beside
        label={afaWords.panel}
        panel={
          chosen && (
            <AfaPanel key={chosen.order_id} registration={chosen} isRefunded={first?.is_fee_refunded ?? true} onDone={begin} />
          )
        }
        onClose={() => setFilters({ order: '' })}
      >
        {first && <QueueFigures counts={first.counts} />}
        <AfaFilterFields key={filters.reference ?? ''} filters={filters} onChange={setFilters} />
        <MorePages query={query} more={afaWords.more}>
          {() => (
            <QueueTable
              list={`${version} ${filters.state} ${filters.reference}`}
              isOpen={filters.state === undefined && filters.reference === undefined}
              rows={rows}
              selected={chosen?.order_id}
              onSelect={select}
            />
          )}
        </MorePages>
      </Beside>
    </Page>
  )
}
