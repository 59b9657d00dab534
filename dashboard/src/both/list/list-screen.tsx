import { type ReactNode, useState } from 'react'
import type { AnswerOf, FieldsOf } from '../api/call-api.ts'
import { type PagedPath, usePages } from '../api/use-read.ts'
import { ListWithPanel } from '../layout/beside.tsx'
import { Page } from '../layout/page.tsx'
import type { EmptyWords } from '../layout/query-states.tsx'
import { Choices, Tabs } from './choices.tsx'
import { choicesOf, FilterBar, type FilterFields, type FilterValues, readFilters } from './filter-bar.tsx'
import { PagedTable } from './paged-table.tsx'
import type { Column } from './table-or-cards.tsx'
import { useChosen } from './use-chosen.ts'
import { type Filters, useFilters } from './use-filters.ts'

/** The name of the field that has the rows, in an answer that comes in pages. */
type RowsName<P extends PagedPath> = {
  [Name in keyof AnswerOf<P>]: AnswerOf<P>[Name] extends readonly unknown[] ? Name : never
}[keyof AnswerOf<P>] &
  string
type RowOf<P extends PagedPath, Name extends RowsName<P>> = AnswerOf<P>[Name] extends readonly (infer Row)[] ? Row : never

/** The texts of filters by their names; empty for one that is not set. */
type Texts = Readonly<Record<string, string>>

type Views<View extends string> = {
  readonly name: string
  readonly label: string
  readonly options: Readonly<Record<View, string>>
  /** True: the views are links, so that people can open a view in a tab of its own. */
  readonly areLinks?: boolean
}

/** The state of the list, for the other parts of the screen. */
type List<P extends PagedPath, View extends string> = {
  readonly view: View
  /** The first page, once it is there. */
  readonly first: AnswerOf<P> | undefined
  /** Call it after an action of the reader: the list then begins anew, so rows may move. */
  readonly onActed: () => void
}

type Props<P extends PagedPath, Name extends RowsName<P>, F extends FilterFields, View extends string, Own extends string> = {
  readonly title: string
  /** At the right of the title. */
  readonly end?: ReactNode | ((list: List<P, View>) => ReactNode)
  /** Below the title: what the list holds. */
  readonly lead?: string
  /** Above the filters: figures, links to other lists. */
  readonly above?: (list: List<P, View>) => ReactNode
  /** Below the list. */
  readonly below?: ReactNode
  /** The address of the screen. The key of the chosen row follows it, unless `chosenIn` names a filter for it. */
  readonly at: string
  readonly chosenIn?: string
  /** The views of the list, and the filter that holds the chosen view. The list opens with the first view. */
  readonly views?: Views<View>
  readonly filters?: F
  /** Further filters. The screen draws their fields, and each takes effect at once. */
  readonly ownFilters?: {
    readonly names: readonly Own[]
    readonly show: (filters: Filters<Own>, set: (change: Filters<Own>) => void) => ReactNode
  }
  /** The words of a button that takes all filters away. */
  readonly clear?: string
  readonly filterLabel?: string
  /** The words of the button of the filters. */
  readonly filterAction?: string
  /** Adjusts the chosen filters before they are used, where a change of one filter changes another. */
  readonly settle?: (next: Texts, before: FilterValues<F>) => Texts
  /** At the right of the filters. */
  readonly filterEnd?: (filters: FilterValues<F> & Filters<Own>) => ReactNode
  readonly topic: string
  readonly path: P
  readonly rows: Name
  /** The fields of the call for these filters. */
  readonly asked: (filters: FilterValues<F> & Filters<Own>, view: View) => FieldsOf<P, 'get'>
  readonly cursor?: 'after' | 'before'
  /** The words of the button for the next page. */
  readonly more: string
  /** The name of the list for screen readers; by default the title. */
  readonly label?: string
  readonly columns: readonly Column<RowOf<P, Name>>[] | ((view: View) => readonly Column<RowOf<P, Name>>[])
  /** The columns for which there is room beside the panel; by default all. */
  readonly columnsBesidePanel?: readonly Column<RowOf<P, Name>>[]
  readonly keyOf: (row: RowOf<P, Name>) => string
  readonly panelLabel?: string
  /** The panel of a row. The row is undefined while the list does not have it. */
  readonly panel?: (key: string, row: RowOf<P, Name> | undefined, list: List<P, View>) => ReactNode
  readonly empty: (isFiltered: boolean, view: View) => EmptyWords
  readonly acts?: ((ticked: readonly RowOf<P, Name>[], clear: () => void) => ReactNode) | undefined
}

/** The row of the open panel. It stays when a refresh takes the row out of the list, so that the panel does not close. */
export function usePanelRow<Row>(chosen: string | undefined, rows: readonly Row[], keyOf: (row: Row) => string): Row | undefined {
  const [kept, setKept] = useState<Row>()
  const found = rows.find((row) => keyOf(row) === chosen)
  if (found !== undefined && found !== kept) setKept(found)
  return found ?? (kept !== undefined && keyOf(kept) === chosen ? kept : undefined)
}

/** The view and the filters of the address, the chosen row, and how they change. */
function useListState<
  P extends PagedPath,
  Name extends RowsName<P>,
  F extends FilterFields,
  View extends string,
  Own extends string,
>(props: Props<P, Name, F, View, Own>) {
  const { at, chosenIn, views, settle = (next: Texts) => next } = props
  const fields = Object.entries(props.filters ?? {})
  const names = [...fields.map(([name]) => name), ...(props.ownFilters?.names ?? [])]
  const { filters: given, setFilters } = useFilters([...(views ? [views.name] : []), ...names])
  const { chosen, choose } = useChosen(at, chosenIn)
  const options = (views ? Object.keys(views.options) : []) as View[]
  const view = options.find((each) => each === given[views?.name ?? '']) ?? options[0] ?? ('' as View)
  const ofView = Object.fromEntries(fields.filter(([, field]) => field.views?.includes(view) ?? true)) as F
  const own = (props.ownFilters?.names ?? []).flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]]))
  const filters = { ...readFilters(ofView, given), ...(Object.fromEntries(own) as Filters<Own>) }
  // With `chosenIn`, new filters also close the chosen row, which belongs to the list of the earlier filters.
  const change = (changed: Texts) => setFilters({ ...changed, ...(chosenIn && { [chosenIn]: '' }) })
  /** The change of filters that opens another view. Filters that the other view does not have are removed. */
  const filtersOf = (next: View): Texts => {
    const hidden = fields.filter(([, field]) => field.views?.includes(next) === false)
    const none = Object.fromEntries(hidden.map(([name]) => [name, '']))
    return { ...none, ...(views && { [views.name]: next === options[0] ? '' : next }) }
  }
  return {
    view,
    fields: ofView,
    filters,
    chosen,
    choose,
    change,
    clear: () => change(Object.fromEntries(names.map((name) => [name, '']))),
    show: (next: Texts) => change(settle(next, filters)),
    chooseView: (next: View) => change(filtersOf(next)),
    hrefOf: (next: View) => {
      const search = new URLSearchParams(
        Object.entries<string | undefined>({ ...given, ...filtersOf(next) }).flatMap(([name, value]) =>
          value ? [[name, value]] : [],
        ),
      )
      return search.size === 0 ? at : `${at}?${search.toString()}`
    },
  }
}

type ViewsProps<View extends string> = {
  readonly views: Views<View>
  readonly view: View
  readonly onChoose: (view: View) => void
  readonly hrefOf: (view: View) => string
}

function Views<View extends string>({ views: { label, options, areLinks }, view, onChoose, hrefOf }: ViewsProps<View>) {
  const shown = { label, value: view, options: choicesOf(options) }
  return areLinks ? <Tabs {...shown} hrefOf={hrefOf} /> : <Choices {...shown} onChoose={onChoose} />
}

/** A screen that is a list, with its filters in the address, and beside it the panel of the chosen row. */
export function ListScreen<
  P extends PagedPath,
  Name extends RowsName<P>,
  F extends FilterFields = {},
  View extends string = '',
  Own extends string = never,
>(props: Props<P, Name, F, View, Own>) {
  const { title, end, views, asked, keyOf, panel } = props
  const state = useListState(props)
  const { view, filters, chosen, choose } = state
  const isFiltered = Object.keys(filters).length > 0
  const fieldsAsked = asked(filters, view)
  const query = usePages(props.topic, props.path, fieldsAsked, props.cursor && { cursor: props.cursor })
  const [acts, setActs] = useState(0)
  // After the reader's own action, the list begins anew. When only others change something, rows keep their places.
  const list = { view, first: query.data?.pages[0], onActed: () => setActs((count) => count + 1) }
  const rowsOf = (page: AnswerOf<P>) =>
    (page as unknown as Readonly<Record<string, unknown>>)[props.rows] as readonly RowOf<P, Name>[]
  const row = usePanelRow(chosen, query.data?.pages.flatMap(rowsOf) ?? [], keyOf)
  const shownPanel = (chosen !== undefined && panel?.(chosen, row, list)) || undefined
  const columns = typeof props.columns === 'function' ? props.columns(view) : props.columns
  return (
    <Page title={title} isWide end={typeof end === 'function' ? end(list) : end}>
      <ListWithPanel label={props.panelLabel ?? title} panel={shownPanel} onClose={() => choose()}>
        {props.lead !== undefined && <p>{props.lead}</p>}
        {props.above?.(list)}
        {views && <Views views={views} view={view} onChoose={state.chooseView} hrefOf={state.hrefOf} />}
        {(props.filters ?? props.ownFilters) && (
          <FilterBar
            label={props.filterLabel}
            action={props.filterAction}
            fields={state.fields}
            filters={filters}
            onShow={state.show}
            onClear={props.clear !== undefined && isFiltered ? { words: props.clear, clear: state.clear } : undefined}
            end={props.filterEnd?.(filters)}
          >
            {props.ownFilters?.show(filters, (change) => state.change(change as Texts))}
          </FilterBar>
        )}
        <PagedTable
          query={query}
          rowsOf={rowsOf}
          more={props.more}
          name={`${acts} ${JSON.stringify(fieldsAsked)}`}
          label={props.label ?? title}
          columns={shownPanel === undefined ? columns : (props.columnsBesidePanel ?? columns)}
          keyOf={keyOf}
          selected={chosen}
          onSelect={panel && choose}
          empty={props.empty(isFiltered, view)}
          acts={props.acts}
        />
        {props.below}
      </ListWithPanel>
    </Page>
  )
}
