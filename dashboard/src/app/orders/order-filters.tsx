import { fieldWords } from '../../both/field-words.ts'
import { choicesOf, FilterBar } from '../../both/list/filter-bar.tsx'
import { FoldedFilters } from '../../both/list/folded-filters.tsx'
import type { useFilters } from '../../both/list/use-filters.ts'
import { orderWords, productWords, stateWords } from '../words/orders.ts'

/** The filters in the address of the list. */
export const orderFilterNames = ['search', 'product', 'status', 'slow', 'network', 'from', 'to', 'person'] as const
export type OrderFilterName = (typeof orderFilterNames)[number]

const search = {
  label: orderWords.search,
  isLabelHidden: true,
  placeholder: orderWords.search,
  type: 'search',
} as const
const states = Object.entries(stateWords).map(([value, { word: label }]) => ({ value, label }))
const networks = ['MTN', 'Telecel', 'AT-iShare', 'AT-BigTime', 'AT'].map((value) => ({ value, label: value }))
const fields = {
  product: { label: fieldWords.product, options: choicesOf(productWords), any: fieldWords.all },
  status: { label: fieldWords.state, options: states, any: fieldWords.all },
  slow: { label: orderWords.slow, options: [{ value: 'yes', label: orderWords.slowOnly }], any: fieldWords.all },
  network: { label: fieldWords.network, options: networks, any: fieldWords.all },
  from: { label: fieldWords.fromDay, type: 'date' },
  to: { label: fieldWords.toDay, type: 'date' },
} as const

type Props = Pick<ReturnType<typeof useFilters<OrderFilterName>>, 'filters' | 'setFilters'>

/** The search field, and the filters behind one tap. */
export function OrderFilters({ filters, setFilters }: Props) {
  return (
    <FoldedFilters fields={fields} filters={filters} onShow={setFilters}>
      <FilterBar fields={{ search }} filters={filters} action={fieldWords.find} onShow={setFilters} />
    </FoldedFilters>
  )
}
