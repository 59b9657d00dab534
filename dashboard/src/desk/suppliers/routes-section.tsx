import { fieldWords } from '../../both/field-words.ts'
import { QueryAnswer } from '../../both/layout/query-states.tsx'
import { FilterBar } from '../../both/list/filter-bar.tsx'
import { type Column, TableOrCards } from '../../both/list/table-or-cards.tsx'
import { useFilters } from '../../both/list/use-filters.ts'
import { formatCount } from '../../both/money/format-ghs.ts'
import { productOfRoute, routeWords } from '../words/suppliers.ts'
import { type DeskRoute, useRoutes } from './ask-suppliers.ts'
import { RouteState, WhyPaused } from './route-state.tsx'

const columns: readonly Column<DeskRoute>[] = [
  { title: routeWords.network, show: ({ product, network }) => `${productOfRoute(product)} · ${network}`, isMain: true },
  { title: routeWords.place, show: ({ rank }) => rank, isFigure: true },
  { title: fieldWords.supplier, show: ({ supplier }) => supplier },
  { title: routeWords.priority, show: ({ priority }) => priority, isFigure: true },
  {
    title: fieldWords.state,
    show: (route) => (
      <>
        <RouteState route={route} />
        <WhyPaused route={route} />
      </>
    ),
  },
  { title: fieldWords.waiting, show: ({ orders_waiting: waiting }) => formatCount(waiting), isFigure: true },
  { title: routeWords.sent, show: ({ orders_sent: sent }) => formatCount(sent), isFigure: true },
]

/** The columns for the routes of one supplier, in its panel. */
export const ownColumns = columns.filter(({ title }) => title !== fieldWords.supplier)

/** The columns beside the panel, where there is less room. */
const narrowColumns = columns.slice(0, 5)

type Props = { readonly hasPanel: boolean; readonly onSelect: (supplier: string) => void }

/** All routes. For each product and network, the route that is used first is at the top. */
export function RoutesSection({ hasPanel, onSelect }: Props) {
  const { filters, setFilters } = useFilters(['product'])
  const query = useRoutes()
  return (
    <QueryAnswer query={query}>
      {({ routes }) => {
        const products = [...new Set(routes.map(({ product }) => product))].map((value) => ({
          value,
          label: productOfRoute(value),
        }))
        const shown = routes.filter(({ product }) => filters.product === undefined || product === filters.product)
        return (
          <>
            <FilterBar
              fields={{ product: { label: fieldWords.product, any: routeWords.allProducts, options: products } }}
              filters={filters}
              onShow={setFilters}
            />
            <TableOrCards
              label={routeWords.list}
              columns={hasPanel ? narrowColumns : columns}
              rows={shown}
              keyOf={({ route }) => route}
              onSelect={({ supplier }) => onSelect(supplier)}
            />
          </>
        )
      }}
    </QueryAnswer>
  )
}
