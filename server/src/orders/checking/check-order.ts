import { type Purchaser, pricingRole } from '../../accounts/caller.ts'
import type { KindDecision, OrderItem, OrderKind } from '../order-kind.ts'

/**
 * Predicts the answer to a purchase: calls the kind's own `decide` on cached facts. Nothing is locked or promised, because the
 * intake decides again. An accepted order reduces the stock in `read`, so that the next check of the same call sees the rest.
 *
 * @param read the facts that the kind would read from the database, made from cached data
 * @param now a moment of the database's clock
 */
export function checkOrder<Request, Read>(
  kind: Pick<OrderKind<Request, Read>, 'decide' | 'take'>,
  item: OrderItem<Request>,
  known: { readonly purchaser: Purchaser; readonly now: Date; readonly catalogueVersion: number; readonly read: Read },
): KindDecision {
  const { purchaser, now, catalogueVersion, read } = known
  const account = {
    isSuspended: false,
    isPermanent: purchaser.roleExpiresAt === null,
    pricingRole: pricingRole(purchaser.role, purchaser.roleExpiresAt, now),
  }
  const decision = kind.decide(item, { now, account, catalogueVersion }, read)
  if (!('refusal' in decision) && !('skipped' in decision)) kind.take(item, read)
  return decision
}
