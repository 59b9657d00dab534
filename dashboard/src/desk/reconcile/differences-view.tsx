import { Button } from '@mantine/core'
import { fieldWords } from '../../both/field-words.ts'
import { choicesOf, FilterBar } from '../../both/list/filter-bar.tsx'
import { PagedTable } from '../../both/list/paged-table.tsx'
import type { Column } from '../../both/list/table-or-cards.tsx'
import { useFilters } from '../../both/list/use-filters.ts'
import { Moment } from '../../both/moments/moment.tsx'
import look from '../frame/look.module.css'
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
  { title: fieldWords.what, show: kindOf, isMain: true },
  { title: fieldWords.supplier, show: ({ supplier }) => supplier },
  { title: reconcileWords.reference, show: ({ reference }) => <span className={look.mono}>{reference}</span> },
  { title: fieldWords.theirs, show: ({ amount_theirs: amount }) => showAmount(amount), isFigure: true },
  { title: fieldWords.ours, show: ({ amount_ours: amount }) => showAmount(amount), isFigure: true },
  { title: fieldWords.by, show: (difference) => showAmount(difference.amount_by), isFigure: true },
  { title: fieldWords.who, show: ({ assigned_to: who }) => who ?? reconcileWords.nobodyYet },
  { title: reconcileWords.foundAt, show: ({ found_at: at }) => <Moment at={at} /> },
  { title: fieldWords.state, show: (difference) => <DifferenceState difference={difference} /> },
]

/** The columns beside the panel, where there is less room. */
const narrowColumns = [columns[0], columns[1], columns[5], columns[6], columns[8]].filter((column) => column !== undefined)

function useFields() {
  const suppliers = useFulfillers().data ?? []
  const { email } = useDeskMe().person
  const { open, closed, all, kinds } = reconcileWords
  return {
    state: { label: fieldWords.state, options: choicesOf({ open, closed, all }) },
    supplier: {
      label: fieldWords.supplier,
      options: suppliers.map((value) => ({ value, label: value })),
      any: reconcileWords.anySupplier,
      isOpen: true,
    },
    kind: { label: fieldWords.what, options: choicesOf(kinds), any: reconcileWords.anyKind },
    who: {
      label: fieldWords.who,
      options: [{ value: email, label: reconcileWords.mine }],
      any: reconcileWords.anyone,
      isOpen: true,
    },
    reference: { label: reconcileWords.reference, type: 'search' },
  } as const
}

const keyOf = ({ difference_id: id }: Difference) => id

type Props = { readonly selected: string | undefined; readonly onSelect: (id: string) => void }

/** The differences between statements and our attempts, with filters. */
export function DifferencesView({ selected, onSelect }: Props) {
  const { filters, setFilters } = useFilters(filterNames)
  const wanted = queryOf(filters)
  const search = new URLSearchParams(wanted).toString()
  return (
    <>
      <FilterBar fields={useFields()} filters={filters} onShow={setFilters} />
      {filters.statement !== undefined && (
        <p className="soft fine">
          {reconcileWords.ofStatement}{' '}
          <Button size="compact-sm" variant="subtle" onClick={() => setFilters({ statement: '' })}>
            {reconcileWords.showAll}
          </Button>
        </p>
      )}
      <PagedTable
        query={useDifferences(wanted)}
        rowsOf={({ differences }) => differences}
        more={fieldWords.showMore}
        name={search}
        label={reconcileWords.list}
        columns={selected === undefined ? columns : narrowColumns}
        keyOf={keyOf}
        selected={selected}
        onSelect={onSelect}
        empty={
          Object.keys(filters).length === 0
            ? { title: reconcileWords.allExplainedTitle, next: reconcileWords.allExplained }
            : { title: reconcileWords.emptyTitle, next: reconcileWords.empty }
        }
      />
      <p className={css.download}>
        <a href={`/desk/api/reconcile/differences.csv?${search}`} download>
          {fieldWords.downloadCsv}
        </a>
      </p>
    </>
  )
}
