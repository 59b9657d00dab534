import type { FieldsOf, Schema } from '../../both/api/call-api.ts'
import { usePages, useRead } from '../../both/api/use-read.ts'
import type { Filters } from '../../both/list/use-filters.ts'

export type DeskOrderLine = Schema<'DeskOrderLine'>
export type DeskOrder = Schema<'DeskOrder'>

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

export const useAskOrders = (filters: Filters<OrderFilterName>) =>
  usePages('orders', '/desk/api/orders', filters as FieldsOf<'/desk/api/orders', 'get'>)

/** One order with everything about it, by any reference or id. */
export const useAskOrder = (order: string) => useRead('orders', '/desk/api/orders/{order}', { order })
