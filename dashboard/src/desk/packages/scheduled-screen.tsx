import { NativeSelect } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { useLocation, useParams } from 'wouter'
import { answerOf, api } from '../../both/api/call-api.ts'
import { Beside } from '../../both/layout/beside.tsx'
import { Page } from '../../both/layout/page.tsx'
import { Empty } from '../../both/layout/wait.tsx'
import { MorePages } from '../../both/list/more-pages.tsx'
import { type Column, TableOrCards } from '../../both/list/table-or-cards.tsx'
import { useFilters } from '../../both/list/use-filters.ts'
import { packageWords } from '../words/packages.ts'
import type { PriceSet } from './package-calls.ts'
import css from './packages.module.css'
import { PriceTabs } from './price-tabs.tsx'
import { ScheduledPanel } from './scheduled-panel.tsx'
import { SetState, showMinute } from './set-state.tsx'

const words = packageWords.sets

const columns: readonly Column<PriceSet>[] = [
  { title: words.minute, show: ({ effective_at: at }) => showMinute(at), isMain: true },
  {
    title: words.what,
    show: ({ packages, note }) => (
      <span>
        {words.count(packages)}
        {note !== null && <span className={css.note}>{note}</span>}
      </span>
    ),
  },
  { title: words.by, show: ({ made_by: by }) => by },
  { title: words.state, show: (set) => <SetState set={set} /> },
]

const columnsBesidePanel = columns.filter(({ title }) => title !== words.by)
const filterNames = ['show'] as const
const keyOf = ({ set_id: id }: PriceSet) => id

/** Sets of scheduled prices, and beside them the chosen one. */
export default function ScheduledScreen() {
  const { set } = useParams<{ set?: string }>()
  const [, navigate] = useLocation()
  const { filters, setFilters, search } = useFilters(filterNames)
  const state = filters.show === 'ended' ? 'ended' : 'open'
  const query = useInfiniteQuery({
    queryKey: ['packages', 'sets', state],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      answerOf(() =>
        api.GET('/desk/api/packages/scheduled', {
          params: { query: { state, ...(pageParam !== undefined && { after: pageParam }) } },
          signal,
        }),
      ),
    getNextPageParam: ({ next }) => next ?? undefined,
  })
  const onSelect = useCallback((row: PriceSet) => navigate(`/packages/scheduled/${row.set_id}${search}`), [navigate, search])
  return (
    <Page title={words.title} isWide>
      <PriceTabs chosen="scheduled" />
      <Beside
        label={words.panel}
        panel={set === undefined ? undefined : <ScheduledPanel key={set} setId={set} />}
        onClose={() => navigate(`/packages/scheduled${search}`)}
      >
        <div className={css.bar}>
          <NativeSelect
            label={words.show}
            data={[
              { value: '', label: words.open },
              { value: 'ended', label: words.ended },
            ]}
            value={state === 'ended' ? 'ended' : ''}
            onChange={({ currentTarget }) => setFilters({ show: currentTarget.value })}
          />
        </div>
        <MorePages query={query} more={words.more}>
          {(pages) => {
            const rows = pages.flatMap((page) => page.sets)
            if (rows.length === 0) return <Empty title={words.empty}>{words.emptyNext}</Empty>
            return (
              <TableOrCards
                label={words.list}
                columns={set === undefined ? columns : columnsBesidePanel}
                rows={rows}
                keyOf={keyOf}
                onSelect={onSelect}
                selectedKey={set}
              />
            )
          }}
        </MorePages>
      </Beside>
    </Page>
  )
}
