import { useLocation, useRoute } from 'wouter'
import type { FieldsOf } from '../../both/api/call-api.ts'
import { usePages } from '../../both/api/use-read.ts'
import { fieldWords } from '../../both/field-words.ts'
import { goodsWords } from '../../both/goods-words.ts'
import { ListWithPanel } from '../../both/layout/beside.tsx'
import { Page, UpContext } from '../../both/layout/page.tsx'
import { FileLink } from '../../both/list/file-link.tsx'
import { PagedRows, useIsWide } from '../../both/list/paged-rows.tsx'
import type { Column } from '../../both/list/table-or-cards.tsx'
import { type Filters, useFilters } from '../../both/list/use-filters.ts'
import { relativeMoment } from '../../both/moments/format-moment.ts'
import { showPrice } from '../../both/money/format-ghs.ts'
import { orderWords } from '../words/orders.ts'
import { OrderDetail } from './order-detail.tsx'
import { type OrderFilterName, OrderFilters, orderFilterNames } from './order-filters.tsx'
import { OrderRow, recipientWords } from './order-row.tsx'
import { type OrderLine, OrderState } from './order-state.tsx'
import { useStates } from './use-states.ts'

type Query = FieldsOf<'/app/api/orders', 'get'>

const columns: readonly Column<OrderLine>[] = [
  { title: fieldWords.recipient, show: recipientWords, isMain: true },
  { title: fieldWords.what, show: goodsWords },
  { title: fieldWords.when, show: ({ created_at: at }) => relativeMoment(at) },
  { title: fieldWords.price, show: showPrice, isFigure: true },
  { title: fieldWords.state, show: ({ status }) => <OrderState status={status} /> },
]

type ListProps = { readonly filters: Filters<OrderFilterName>; readonly search: string; readonly selected: string | undefined }

function OrderList({ filters, search, selected }: ListProps) {
  const [, navigate] = useLocation()
  const isFiltered = search !== ''
  const query = usePages('orders', '/app/api/orders', filters as Query)
  useStates(query.data?.pages.flatMap(({ orders }) => orders) ?? [])
  return (
    <PagedRows
      query={query}
      itemsOf={({ orders }) => orders}
      keyOf={({ order_id: id }) => id}
      label={fieldWords.orders}
      more={fieldWords.showOlderOrders}
      empty={
        isFiltered
          ? { title: fieldWords.noOrderFits, next: fieldWords.noOrderFitsNext }
          : { title: fieldWords.noOrders, next: orderWords.emptyNext }
      }
      row={(order) => <OrderRow order={order} search={search} />}
      columns={columns}
      selected={selected}
      onSelect={(order) => navigate(`/orders/${order.order_id}${search}`)}
    />
  )
}

/** All orders in one list, and the chosen one: beside the list on a wide screen, in place of it on a phone. */
export default function OrdersScreen() {
  const { search, ...filtering } = useFilters(orderFilterNames)
  const [, params] = useRoute('/orders/:order')
  const [, navigate] = useLocation()
  const isWide = useIsWide()
  const selected = params?.order
  const close = () => navigate(`/orders${search}`)
  if (selected !== undefined && !isWide) {
    return (
      <UpContext value={`/orders${search}`}>
        <Page title={fieldWords.orders}>
          <OrderDetail order={selected} />
        </Page>
      </UpContext>
    )
  }
  return (
    <Page title={fieldWords.orders} isWide={selected !== undefined} end={<FileLink href={`/app/api/orders.csv${search}`} />}>
      <ListWithPanel
        label={orderWords.timeline}
        panel={selected === undefined ? undefined : <OrderDetail order={selected} />}
        onClose={close}
      >
        <OrderFilters {...filtering} />
        <OrderList filters={filtering.filters} search={search} selected={selected} />
      </ListWithPanel>
    </Page>
  )
}
