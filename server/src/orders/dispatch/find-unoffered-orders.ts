import type { Db } from '../../platform/database/database.ts'
import { parseRouteName } from '../../suppliers/route-ports.ts'
import type { Fulfilment } from '../fulfilment.ts'
import type { Order } from '../order.ts'

export type WaitingOrder = { readonly order: Order; readonly route: string; readonly fulfilment: Fulfilment | undefined }

/**
 * Finds the orders whose supplier does not offer what was ordered: the offer was withdrawn, or a person moved the order to
 * this route. They must neither be sent there nor wait there.
 * @returns for each of them whether another supplier offers it
 */
export async function findUnofferedOrders(
  db: Db,
  waiting: readonly WaitingOrder[],
): Promise<ReadonlyMap<string, 'elsewhere' | 'nowhere'>> {
  const unoffered = new Map<string, 'elsewhere' | 'nowhere'>()
  for (const [fulfilment, group] of Map.groupBy(waiting, (each) => each.fulfilment)) {
    if (!fulfilment) continue
    const capable = await fulfilment.listCapableSuppliers(
      db,
      group.map(({ order }) => order),
    )
    for (const { order, route } of group) {
      const supplier = parseRouteName(route)?.supplier
      const suppliers = capable.get(order.id)
      if (supplier === undefined || suppliers?.has(supplier) === true) continue
      unoffered.set(order.id, suppliers && suppliers.size > 0 ? 'elsewhere' : 'nowhere')
    }
  }
  return unoffered
}
