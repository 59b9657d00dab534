import { Button } from '@mantine/core'
import { post } from '../../both/api/call-api.ts'
import { useAct } from '../../both/api/use-read.ts'
import { fieldWords } from '../../both/field-words.ts'
import { Failure } from '../../both/layout/query-states.tsx'
import { PagedTable } from '../../both/list/paged-table.tsx'
import type { Column } from '../../both/list/table-or-cards.tsx'
import type { Filters } from '../../both/list/use-filters.ts'
import { useMay } from '../me.ts'
import { deskOrderWords } from '../words/orders.ts'
import { type DeskOrderLine, type OrderFilterName, useAskOrders } from './ask-orders.ts'
import css from './orders.module.css'

const keyOf = (order: DeskOrderLine) => order.order_id

/** The server refuses a call with more orders. */
const askedMax = 100

/** Lets the worker take the next step of the ticked orders now, for at most `askedMax` of them. */
function AskAll({ ticked, onDone }: { readonly ticked: readonly DeskOrderLine[]; readonly onDone: () => void }) {
  const order_ids = ticked.slice(0, askedMax).map(keyOf)
  const asking = useAct(() => post('/desk/api/ask-orders', { order_ids }), ['orders'], onDone)
  return (
    <div className={css.askAll} role="status">
      {ticked.length > 0 && (
        <Button size="compact-md" loading={asking.isPending} onClick={() => asking.mutate()}>
          {deskOrderWords.askAll(order_ids.length)}
        </Button>
      )}
      {asking.isSuccess && ticked.length === 0 && (
        <span className="soft fine">{deskOrderWords.askedMany(asking.data.asked.length, asking.data.not_asked.length)}</span>
      )}
      {asking.isError && <Failure error={asking.error} />}
    </div>
  )
}

type Props = {
  readonly filters: Filters<OrderFilterName>
  readonly label: string
  readonly more: string
  readonly columns: readonly Column<DeskOrderLine>[]
  readonly selected: string | undefined
  readonly onSelect: (order: string) => void
  /** True: rows can be ticked, for a button that acts on many orders at once. */
  readonly hasTicks?: boolean
  /** True: without rows, the whole list is hidden. */
  readonly isHiddenEmpty?: boolean
}

/** A list of orders whose rows stay in their places while somebody reads. */
export function OrderList({ filters, hasTicks = false, isHiddenEmpty, ...table }: Props) {
  const query = useAskOrders(filters)
  const mayAsk = useMay('settle_orders') && hasTicks && table.selected === undefined
  const empty =
    Object.keys(filters).length > 0
      ? { title: fieldWords.noOrderFits, next: fieldWords.noOrderFitsNext }
      : { title: fieldWords.noOrders, next: deskOrderWords.emptyNext }
  return (
    <PagedTable
      {...table}
      query={query}
      rowsOf={({ orders }) => orders}
      name={JSON.stringify(filters)}
      keyOf={keyOf}
      empty={isHiddenEmpty ? undefined : empty}
      acts={mayAsk ? (ticked, clear) => <AskAll ticked={ticked} onDone={clear} /> : undefined}
    />
  )
}
