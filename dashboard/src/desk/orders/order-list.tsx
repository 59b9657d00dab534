import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { answerOf, api } from '../../both/api/call-api.ts'
import { Empty, Failure } from '../../both/layout/wait.tsx'
import { MorePages } from '../../both/list/more-pages.tsx'
import { type Column, TableOrCards } from '../../both/list/table-or-cards.tsx'
import type { Filters } from '../../both/list/use-filters.ts'
import { NewRows } from '../frame/new-rows.tsx'
import { useLiveRows } from '../frame/use-live-rows.ts'
import { useMay } from '../me.ts'
import { deskOrderWords } from '../words/orders.ts'
import { type DeskOrderLine, type OrderFilterName, useAskOrders } from './ask-orders.ts'
import css from './orders.module.css'

const keyOf = (order: DeskOrderLine) => order.order_id

/** The most orders that one call can ask about. */
const askedMax = 100

/** Asks the suppliers about the ticked orders again, as many as one call takes. */
function AskAll({ ticked, onDone }: { readonly ticked: ReadonlySet<string>; readonly onDone: () => void }) {
  const queries = useQueryClient()
  const asking = useMutation({
    mutationFn: () => answerOf(() => api.POST('/desk/api/ask-orders', { body: { order_ids: [...ticked].slice(0, askedMax) } })),
    onSuccess: async () => {
      onDone()
      await queries.invalidateQueries({ queryKey: ['desk', 'orders'] })
    },
  })
  return (
    <div className={css.askAll} role="status">
      {ticked.size > 0 && (
        <Button size="compact-md" loading={asking.isPending} onClick={() => asking.mutate()}>
          {deskOrderWords.askAll(Math.min(ticked.size, askedMax))}
        </Button>
      )}
      {asking.isSuccess && ticked.size === 0 && (
        <span className={css.note}>{deskOrderWords.askedMany(asking.data.asked.length, asking.data.not_asked.length)}</span>
      )}
      {asking.isError && <Failure error={asking.error} />}
    </div>
  )
}

type RowsProps = {
  /** A name for the list with its filters, for `useLiveRows`. */
  readonly list: string
  readonly label: string
  readonly columns: readonly Column<DeskOrderLine>[]
  readonly orders: readonly DeskOrderLine[]
  readonly selected: string | undefined
  readonly onSelect: (order: DeskOrderLine) => void
  /** Whether rows can be ticked, to ask the suppliers about many orders at once. */
  readonly hasTicks?: boolean
}

function LiveOrders({ list, label, columns, orders, selected, onSelect, hasTicks = false }: RowsProps) {
  const rows = useLiveRows(list, orders, keyOf)
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set())
  const mayAsk = useMay('settle_orders') && hasTicks
  return (
    <>
      <NewRows rows={rows} />
      {mayAsk && <AskAll ticked={ticked} onDone={() => setTicked(new Set())} />}
      <TableOrCards
        label={label}
        columns={columns}
        rows={rows.shown}
        keyOf={keyOf}
        onSelect={onSelect}
        selectedKey={selected}
        {...(mayAsk && selected === undefined && { ticks: { keys: ticked, set: setTicked } })}
      />
    </>
  )
}

type Props = Omit<RowsProps, 'orders' | 'list'> & {
  readonly filters: Filters<OrderFilterName>
  readonly more: string
  /** Whether an empty list is not shown at all. */
  readonly isHiddenEmpty?: boolean
}

/** A list of orders whose rows stay in their places while somebody reads. */
export function OrderList({ filters, more, isHiddenEmpty, ...rows }: Props) {
  const query = useAskOrders(filters)
  const list = JSON.stringify(filters)
  const isFiltered = Object.keys(filters).length > 0
  return (
    <MorePages query={query} more={more}>
      {(pages) => {
        const orders = pages.flatMap((page) => page.orders)
        if (orders.length > 0) return <LiveOrders key={list} list={list} orders={orders} {...rows} />
        if (isHiddenEmpty) return null
        return (
          <Empty title={isFiltered ? deskOrderWords.nothingFits : deskOrderWords.empty}>
            {isFiltered ? deskOrderWords.nothingFitsNext : deskOrderWords.emptyNext}
          </Empty>
        )
      }}
    </MorePages>
  )
}
