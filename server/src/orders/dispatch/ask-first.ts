import type { Db } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import type { SupplierRegistry } from '../../suppliers/ports.ts'
import { parseRouteName, type Routes } from '../../suppliers/route-ports.ts'
import type { ClaimedOrder } from '../schedule/claim-open-orders.ts'
import { beginQuestions } from './begin-questions.ts'

type AskFirstDeps = { readonly routes: Pick<Routes, 'list'>; readonly registry: Pick<SupplierRegistry, 'find'> }

/**
 * After the database went back to an earlier state, it may have lost a send of the order to any supplier of its network. Finds
 * the next supplier that was not asked about it yet. Skips suppliers that cannot be asked by our reference.
 */
export function supplierToAskFirst(
  { routes, registry }: AskFirstDeps,
  { route, onlyAskedSuppliers }: Pick<ClaimedOrder, 'route' | 'onlyAskedSuppliers'>,
): string | undefined {
  const own = parseRouteName(route)
  if (!onlyAskedSuppliers || !own) return undefined
  const ofNetwork = routes.list().filter(({ product, network }) => product === own.product && network === own.network)
  return ofNetwork
    .map(({ supplier }) => supplier)
    .find((name) => {
      const supplier = onlyAskedSuppliers.includes(name) ? undefined : registry.find(name)
      return supplier !== undefined && supplier.statusNeedsSupplierReference !== true
    })
}

/** Marks orders so that their next claim asks the supplier about them, instead of sending them. */
export async function askFirst(
  db: Db,
  asked: readonly { readonly claimed: ClaimedOrder; readonly supplier: string }[],
): Promise<void> {
  if (asked.length === 0) return
  const unsent = asked.map(({ claimed, supplier }) => ({
    orderId: claimed.order.id,
    leaseNo: claimed.leaseNo,
    supplier,
    status: claimed.order.status,
    supplierAttempts: claimed.triedSuppliers.get(supplier) ?? 0,
    lastAttemptNo: claimed.attemptCount,
  }))
  await inTransaction(db, (tx) => beginQuestions(tx, unsent, 'worker'))
}
