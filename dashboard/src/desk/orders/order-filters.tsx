import { useRead } from '../../both/api/use-read.ts'
import { fieldWords } from '../../both/field-words.ts'
import { networkName } from '../../both/goods-words.ts'
import { choicesOf } from '../../both/list/filter-bar.tsx'
import { FoldedFilters } from '../../both/list/folded-filters.tsx'
import type { Filters } from '../../both/list/use-filters.ts'
import { roleFilters, stateWords, supplierName, deskOrderWords as words } from '../words/orders.ts'
import type { OrderFilterName } from './ask-orders.ts'

type Props = { readonly filters: Filters<OrderFilterName>; readonly setFilters: (change: Filters<OrderFilterName>) => void }

const states = Object.entries(stateWords).map(([value, { word: label }]) => ({ value, label }))

/** The filters. Some choices come from the server and hardly ever change. */
function useFields() {
  const { data } = useRead('order-choices', '/desk/api/order-choices', {}, { staleTime: 300_000 })
  const { products = [], networks = [], suppliers = [] } = data ?? {}
  const { any } = words
  const named = (names: readonly string[], nameOf: (name: string) => string) =>
    names.map((value) => ({ value, label: nameOf(value) }))
  return {
    reference: { label: words.search, type: 'search' },
    recipient: { label: fieldWords.recipient, type: 'search' },
    account: { label: words.accountHint, type: 'search' },
    package: { label: words.package, type: 'search' },
    from: { label: fieldWords.fromDay, type: 'date' },
    to: { label: fieldWords.toDay, type: 'date' },
    status: { label: fieldWords.state, options: states, any },
    only: { label: fieldWords.only, options: choicesOf(words.onlyWords), any },
    product: { label: fieldWords.product, options: products.map(({ name, title }) => ({ value: name, label: title })), any },
    network: { label: words.network, options: named(networks, networkName), any, isOpen: true },
    supplier: { label: fieldWords.supplier, options: named(suppliers, supplierName), any, isOpen: true },
    role: { label: words.role, options: choicesOf(roleFilters), any },
  } as const
}

/** Shows all filters of the list after one tap. The page's address keeps their values. */
export function OrderFilters({ filters, setFilters }: Props) {
  return <FoldedFilters fields={useFields()} filters={filters} action={fieldWords.find} onShow={setFilters} />
}
