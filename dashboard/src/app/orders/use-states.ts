import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { post } from '../../both/api/call-api.ts'
import { useRefresh } from '../../both/api/use-read.ts'
import type { OrderLine } from './order-state.tsx'

/** An order with its state as it was read. */
export type StatedOrder = Pick<OrderLine, 'order_id' | 'status'>

const openStates: readonly string[] = ['queued', 'pending', 'processing']
export const isOpen = ({ status }: Pick<OrderLine, 'status'>): boolean => openStates.includes(status)

/** True when an order has ended without a delivery. Such an order must not be shown to a customer as bought. */
export const isUndelivered = (order: Pick<OrderLine, 'status'>): boolean => !isOpen(order) && order.status !== 'completed'

/** The pauses between two reads: short at first, longer when the orders take long. */
const soonMilliseconds = 5_000
const laterMilliseconds = 30_000
const soonTimes = 24
/** The server refuses a request for the states of more orders. */
const ordersMax = 100

/**
 * Reads the states of the open orders again and again, in one request, until none is open. It pauses while the page is hidden.
 * When a state has changed, lists of orders, Home and the balance of the form are read again.
 *
 * @returns the newest known state of an order
 */
export function useStates(orders: readonly StatedOrder[]): (order: StatedOrder) => OrderLine['status'] {
  const open = orders.filter(isOpen).slice(0, ordersMax)
  const asked = open.map(({ order_id }) => order_id)
  const { data } = useQuery({
    queryKey: ['states', asked],
    queryFn: async ({ signal }): Promise<readonly StatedOrder[]> =>
      (await post('/app/api/orders/states', { order_ids: asked }, signal)).orders,
    enabled: open.length > 0,
    // The orders were just read, so the first request comes after the first pause.
    initialData: open,
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state: { data: known, dataUpdateCount } }) => {
      if (!known?.some(isOpen)) return false
      return dataUpdateCount < soonTimes ? soonMilliseconds : laterMilliseconds
    },
  })
  const statusOf = ({ order_id: id, status }: StatedOrder) => data.find(({ order_id }) => order_id === id)?.status ?? status
  const changed = open.filter((order) => statusOf(order) !== order.status).map(({ order_id }) => order_id)
  const refresh = useRefresh()
  useEffect(() => {
    if (changed.length > 0) void refresh(['orders', 'order', 'home', 'shop'])
    // biome-ignore lint/correctness/useExhaustiveDependencies: only a new answer makes the lists old.
  }, [data])
  return statusOf
}
