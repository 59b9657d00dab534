import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { answerOf, api } from '../../both/api/call-api.ts'
import type { components, operations } from '../../both/api/dashboard-api.d.ts'
import type { Filters } from '../../both/list/use-filters.ts'

export type DeskOrderLine = components['schemas']['DeskOrderLine']
export type DeskOrder = components['schemas']['DeskOrder']

/** The filters in the address of the list. */
export const orderFilterNames = [
  'reference',
  'recipient',
  'account',
  'product',
  'network',
  'package',
  'role',
  'supplier',
  'status',
  'only',
  'from',
  'to',
] as const
export type OrderFilterName = (typeof orderFilterNames)[number]

type Query = NonNullable<operations['deskListOrders']['parameters']['query']>

/** The orders that fit, a page at a time. */
export function useAskOrders(filters: Filters<OrderFilterName>) {
  return useInfiniteQuery({
    queryKey: ['desk', 'orders', 'list', filters],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) => {
      const query = { ...filters, ...(pageParam !== undefined && { after: pageParam }) } as Query
      return answerOf(() => api.GET('/desk/api/orders', { params: { query }, signal }))
    },
    getNextPageParam: ({ next }) => next ?? undefined,
  })
}

/** One order with everything about it, by any reference or id. */
export function useAskOrder(order: string) {
  return useQuery({
    queryKey: ['desk', 'orders', 'one', order],
    queryFn: ({ signal }) => answerOf(() => api.GET('/desk/api/orders/{order}', { params: { path: { order } }, signal })),
  })
}
