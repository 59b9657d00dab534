import { useLocation, useRoute } from 'wouter'
import { fieldWords } from '../../both/field-words.ts'
import { ListWithPanel } from '../../both/layout/beside.tsx'
import { Page } from '../../both/layout/page.tsx'
import { FailedRead } from '../../both/layout/query-states.tsx'
import { FileLink } from '../../both/list/file-link.tsx'
import { useFilters } from '../../both/list/use-filters.ts'
import { formatCount } from '../../both/money/format-ghs.ts'
import { deskOrderWords } from '../words/orders.ts'
import { orderFilterNames, useAskOrders } from './ask-orders.ts'
import { orderColumns } from './order-columns.tsx'
import { OrderFigures, useAskToday } from './order-figures.tsx'
import { OrderFilters } from './order-filters.tsx'
import { OrderList } from './order-list.tsx'
import { OrderPanel } from './order-panel.tsx'
import { OrderTabs } from './order-tabs.tsx'
import css from './orders.module.css'

const stuckFilters = { only: 'stuck' } as const

type ListProps = { readonly selected: string | undefined; readonly onSelect: (order: string) => void }

/** The orders that need a person; nothing when there are none. */
function StuckOrders(rows: ListProps) {
  const query = useAskOrders(stuckFilters)
  const { data } = query
  const today = useAskToday().data
  if (query.isError && !data) return <FailedRead query={query} title={deskOrderWords.stuckNotRead} />
  const count = data?.pages.reduce((sum, page) => sum + page.orders.length, 0) ?? 0
  if (count === 0) return null
  const many = `${formatCount(count)}${data?.pages.at(-1)?.next === null ? '' : '+'}`
  return (
    <section className={css.list} aria-labelledby="stuck">
      <div className={css.listHead}>
        <h2 id="stuck">{deskOrderWords.stuck}</h2>
        <span className="soft fine">
          {today ? deskOrderWords.stuckOf(many, formatCount(today.orders)) : deskOrderWords.stuckCount(many)}
        </span>
      </div>
      <OrderList
        {...rows}
        label={deskOrderWords.stuck}
        columns={rows.selected === undefined ? orderColumns.stuck : orderColumns.stuckBesidePanel}
        hasTicks
        filters={stuckFilters}
        more={deskOrderWords.moreStuck}
        isHiddenEmpty
      />
    </section>
  )
}

/**
 * All orders, and beside them the chosen one. Without filters, the day's figures and the orders that need a person come first.
 */
export default function OrdersScreen() {
  const { filters, setFilters, search } = useFilters(orderFilterNames)
  const [, params] = useRoute('/orders/:order')
  const [, navigate] = useLocation()
  const selected = params?.order
  const isFiltered = search !== ''
  const rows = { selected, onSelect: (order: string) => navigate(`/orders/${order}${search}`) }
  return (
    <Page title={fieldWords.orders} isWide>
      <ListWithPanel
        label={deskOrderWords.panel}
        panel={selected === undefined ? undefined : <OrderPanel key={selected} order={selected} />}
        onClose={() => navigate(`/orders${search}`)}
      >
        <OrderTabs chosen="orders" />
        {!isFiltered && <OrderFigures />}
        {!isFiltered && <StuckOrders {...rows} />}
        <section className={css.list} aria-labelledby="all">
          <div className={css.listHead}>
            <h2 id="all">{isFiltered ? deskOrderWords.fitting : fieldWords.allOrders}</h2>
            <FileLink size="compact-md" href={`/desk/api/orders.csv${search}`} />
          </div>
          <OrderFilters filters={filters} setFilters={setFilters} />
          <OrderList
            {...rows}
            label={fieldWords.allOrders}
            columns={selected === undefined ? orderColumns.all : orderColumns.allBesidePanel}
            filters={filters}
            more={fieldWords.showOlderOrders}
            hasTicks={isFiltered}
          />
        </section>
      </ListWithPanel>
    </Page>
  )
}
