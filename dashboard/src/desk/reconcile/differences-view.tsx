import { Button, Group, NativeSelect, TextInput } from '@mantine/core'
import { Empty } from '../../both/layout/wait.tsx'
import { MorePages } from '../../both/list/more-pages.tsx'
import { LiveTable } from '../../both/list/paged-table.tsx'
import type { Column } from '../../both/list/table-or-cards.tsx'
import { useFilters } from '../../both/list/use-filters.ts'
import { Moment } from '../../both/moments/moment.tsx'
import { useDeskMe } from '../me.ts'
import { reconcileWords } from '../words/reconcile.ts'
import { type Difference, type DifferenceFilters, useDifferences, useFulfillers } from './ask-reconcile.ts'
import { DifferenceState, kindOf, showAmount } from './difference-state.tsx'
import css from './reconcile.module.css'

const filterNames = ['supplier', 'kind', 'state', 'who', 'reference', 'statement'] as const
type Given = Partial<Record<(typeof filterNames)[number], string>>

/** The filters as the API takes them. Without a chosen state, open differences are listed. */
function queryOf(given: Given): DifferenceFilters {
  const { supplier, kind, state = 'open', who, reference, statement } = given
  return {
    ...(supplier !== undefined && { supplier }),
    ...(kind !== undefined && { kind: kind as Difference['kind'] }),
    ...((state === 'open' || state === 'closed') && { state }),
    ...(who !== undefined && { assigned_to: who }),
    ...(reference !== undefined && { reference }),
    ...(statement !== undefined && { statement_id: statement }),
  }
}

const columns: readonly Column<Difference>[] = [
  { title: reconcileWords.kind, show: kindOf, isMain: true },
  { title: reconcileWords.supplier, show: ({ supplier }) => supplier },
  { title: reconcileWords.reference, show: ({ reference }) => <span className={css.mono}>{reference}</span> },
  { title: reconcileWords.theirs, show: ({ amount_theirs: amount }) => showAmount(amount), isFigure: true },
  { title: reconcileWords.ours, show: ({ amount_ours: amount }) => showAmount(amount), isFigure: true },
  { title: reconcileWords.by, show: (difference) => showAmount(difference.amount_by), isFigure: true },
  { title: reconcileWords.who, show: ({ assigned_to: who }) => who ?? reconcileWords.nobodyYet },
  { title: reconcileWords.foundAt, show: ({ found_at: at }) => <Moment at={at} /> },
  { title: reconcileWords.state, show: (difference) => <DifferenceState difference={difference} /> },
]

/** The columns beside the panel, where there is less room. */
const narrowColumns = [columns[0], columns[1], columns[5], columns[6], columns[8]].filter((column) => column !== undefined)

function Filters({ given, set }: { readonly given: Given; readonly set: (change: Given) => void }) {
  const suppliers = useFulfillers().data ?? []
  const { email } = useDeskMe().person
  const { kinds } = reconcileWords
  return (
    <Group gap={12} align="end" className={css.fields ?? ''}>
      <NativeSelect
        label={reconcileWords.state}
        value={given.state ?? 'open'}
        data={[
          { value: 'open', label: reconcileWords.open },
          { value: 'closed', label: reconcileWords.closed },
          { value: 'all', label: reconcileWords.all },
        ]}
        onChange={({ currentTarget: { value } }) => set({ state: value === 'open' ? '' : value })}
      />
      <NativeSelect
        label={reconcileWords.supplier}
        value={given.supplier ?? ''}
        data={[{ value: '', label: reconcileWords.anySupplier }, ...suppliers]}
        onChange={({ currentTarget }) => set({ supplier: currentTarget.value })}
      />
      <NativeSelect
        label={reconcileWords.kind}
        value={given.kind ?? ''}
        data={[
          { value: '', label: reconcileWords.anyKind },
          ...Object.entries(kinds).map(([value, label]) => ({ value, label })),
        ]}
        onChange={({ currentTarget }) => set({ kind: currentTarget.value })}
      />
      <NativeSelect
        label={reconcileWords.who}
        value={given.who ?? ''}
        data={[
          { value: '', label: reconcileWords.anyone },
          { value: email, label: reconcileWords.mine },
          ...(given.who !== undefined && given.who !== email ? [given.who] : []),
        ]}
        onChange={({ currentTarget }) => set({ who: currentTarget.value })}
      />
      <TextInput
        type="search"
        label={reconcileWords.find}
        defaultValue={given.reference ?? ''}
        onKeyDown={({ key, currentTarget }) => {
          if (key === 'Enter') set({ reference: currentTarget.value.trim() })
        }}
        onBlur={({ currentTarget }) => {
          // A field also loses the focus when its screen is left. This must not lead back to the screen.
          const reference = currentTarget.value.trim()
          if (reference !== (given.reference ?? '')) set({ reference })
        }}
      />
    </Group>
  )
}

const keyOf = ({ difference_id: id }: Difference) => id

type Props = { readonly selected: string | undefined; readonly onSelect: (id: string) => void }

/** The differences between statements and our books, with filters. */
export function DifferencesView({ selected, onSelect }: Props) {
  const { filters, setFilters } = useFilters(filterNames)
  const wanted = queryOf(filters)
  const query = useDifferences(wanted)
  const search = new URLSearchParams(wanted).toString()
  const isUnfiltered = Object.keys(filters).length === 0
  return (
    <>
      <Filters given={filters} set={setFilters} />
      {filters.statement !== undefined && (
        <p className={css.soft}>
          {reconcileWords.ofStatement}{' '}
          <Button size="compact-sm" variant="subtle" onClick={() => setFilters({ statement: '' })}>
            {reconcileWords.showAll}
          </Button>
        </p>
      )}
      <MorePages query={query} more={reconcileWords.more}>
        {(pages) => {
          const rows = pages.flatMap(({ differences }) => differences)
          if (rows.length > 0) {
            return (
              <LiveTable
                name={search}
                label={reconcileWords.list}
                columns={selected === undefined ? columns : narrowColumns}
                rows={rows}
                keyOf={keyOf}
                selected={selected}
                onSelect={onSelect}
              />
            )
          }
          return isUnfiltered ? (
            <Empty title={reconcileWords.allExplainedTitle}>{reconcileWords.allExplained}</Empty>
          ) : (
            <Empty title={reconcileWords.emptyTitle}>{reconcileWords.empty}</Empty>
          )
        }}
      </MorePages>
      <p className={css.download}>
        <a href={`/desk/api/reconcile/differences.csv?${search}`} download>
          {reconcileWords.csv}
        </a>
      </p>
    </>
  )
}
