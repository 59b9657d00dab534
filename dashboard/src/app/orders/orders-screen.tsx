import { Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useLocation, useRoute } from 'wouter'
import { answerOf, api } from '../../both/api/call-api.ts'
import type { operations } from '../../both/api/dashboard-api.d.ts'
import { goodsWords } from '../../both/goods-words.ts'
import { Page } from '../../both/layout/page.tsx'
import { Empty } from '../../both/layout/wait.tsx'
import { MorePages } from '../../both/list/more-pages.tsx'
import { Rows } from '../../both/list/rows.tsx'
import { type Column, TableOrCards } from '../../both/list/table-or-cards.tsx'
import { type Filters, useFilters } from '../../both/list/use-filters.ts'
import { relativeMoment } from '../../both/moments/format-moment.ts'
import { showPrice } from '../../both/money/show-price.ts'
import { orderWords } from '../words/orders.ts'
import { OrderDetail } from './order-detail.tsx'
import { type OrderFilterName, OrderFilters, orderFilterNames } from './order-filters.tsx'
import { OrderRow, recipientWords } from './order-row.tsx'
import { type OrderLine, OrderState } from './order-state.tsx'
import css from './orders.module.css'

type Query = NonNullable<operations['listOrders']['parameters']['query']>

const columns: readonly Column<OrderLine>[] = [
  { title: orderWords.recipient, show: recipientWords, isMain: true },
  { title: orderWords.what, show: goodsWords },
  { title: orderWords.when, show: ({ created_at: at }) => relativeMoment(at) },
  { title: orderWords.price, show: showPrice, isFigure: true },
  { title: orderWords.state, show: ({ status }) => <OrderState status={status} /> },
]

function useOrders(filters: Filters<OrderFilterName>) {
  return useInfiniteQuery({
    queryKey: ['orders', filters],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) => {
      const query = { ...filters, ...(pageParam !== undefined && { after: pageParam }) } as Query
      return answerOf(() => api.GET('/app/api/orders', { params: { query }, signal }))
    },
    getNextPageParam: ({ next }) => next ?? undefined,
  })
}

type ListProps = {
  readonly filters: Filters<OrderFilterName>
  readonly search: string
  readonly isDesk: boolean
  readonly selected: string | undefined
  readonly onSelect: (order: OrderLine) => void
}

function OrderList({ filters, search, isDesk, selected, onSelect }: ListProps) {
  const query = useOrders(filters)
  const isFiltered = search !== ''
  return (
    <MorePages query={query} more={orderWords.more}>
      {(pages) => {
        const orders = pages.flatMap((page) => page.orders)
        if (orders.length === 0) {
          return (
            <Empty title={isFiltered ? orderWords.nothingFits : orderWords.empty}>
              {isFiltered ? orderWords.nothingFitsNext : orderWords.emptyNext}
            </Empty>
          )
        }
        return isDesk ? (
          <TableOrCards
            label={orderWords.list}
            columns={columns}
            rows={orders}
            keyOf={(order) => order.order_id}
            onSelect={onSelect}
            selectedKey={selected}
          />
        ) : (
          <Rows label={orderWords.list}>
            {orders.map((order) => (
              <OrderRow key={order.order_id} order={order} search={search} />
            ))}
          </Rows>
        )
      }}
    </MorePages>
  )
}

/** All orders in one list, and the chosen one: beside the list on a desk, as a screen on a phone. */
export default function OrdersScreen() {
  const { filters, setFilters, search } = useFilters(orderFilterNames)
  const [, params] = useRoute('/orders/:order')
  const [, navigate] = useLocation()
  const isDesk = useMediaQuery('(min-width: 62em)', false, { getInitialValueInEffect: false })
  const selected = params?.order
  const close = () => navigate(`/orders${search}`)
  if (selected !== undefined && !isDesk) {
    return (
      <Page
        title={orderWords.title}
        end={
          <Button variant="subtle" onClick={close}>
            {orderWords.back}
          </Button>
        }
      >
        <OrderDetail order={selected} />
      </Page>
    )
  }
  return (
    <Page
      title={orderWords.title}
      isWide={selected !== undefined}
      end={
        <Button component="a" variant="subtle" href={`/app/api/orders.csv${search}`} download>
          {orderWords.file}
        </Button>
      }
    >
      <div className={`${css.beside} ${selected === undefined ? '' : css.withPanel}`}>
        <div>
          <OrderFilters filters={filters} setFilters={setFilters} />
          <OrderList
            filters={filters}
            search={search}
            isDesk={isDesk}
            selected={selected}
            onSelect={(order) => navigate(`/orders/${order.order_id}${search}`)}
          />
        </div>
        {selected !== undefined && (
          <aside className={css.panel} aria-label={orderWords.timeline}>
            <OrderDetail order={selected} onClose={close} />
          </aside>
        )}
      </div>
    </Page>
  )
}
