import type { Tx } from '../platform/database/database.ts'
import { parseRouteName } from '../suppliers/route-name.ts'
import type { Fulfilment } from './fulfilment.ts'
import type { Order } from './order.ts'

/** An order that waits to be sent, and where. */
export type WaitingOrder = { readonly order: Order; readonly route: string; readonly fulfilment: Fulfilment | undefined }

/**
 * Finds the orders whose route belongs to a supplier that does not offer what was ordered: its offer was taken
 * away, or a person moved the order's route. They must not be sent there, nor held until it opens.
 *
 * @returns their ids
 */
export async function findUnofferedOrders(tx: Tx, waiting: readonly WaitingOrder[]): Promise<ReadonlySet<string>> {
  const unoffered = new Set<string>()
  for (const [fulfilment, group] of Map.groupBy(waiting, (each) => each.fulfilment)) {
    if (!fulfilment) continue
    const capable = await fulfilment.listCapableSuppliers(
      tx,
      group.map(({ order }) => order),
    )
    for (const { order, route } of group) {
      const supplier = parseRouteName(route)?.supplier
      if (supplier !== undefined && capable.get(order.id)?.has(supplier) !== true) unoffered.add(order.id)
    }
  }
  return unoffered
}
