import type { Tx } from '../platform/database/database.ts'
import { raiseCatalogueVersion } from '../platform/database/epoch.ts'

export type CommissionRate = { readonly product: string; readonly network: string; readonly rateBasisPoints: number }
export type CommissionShare = {
  readonly product: string
  readonly role: 'customer' | 'agent' | 'dealer'
  readonly shareBasisPoints: number
}

/**
 * Sets rates and shares for orders placed from now on; existing orders keep their terms. Every process reads the change as
 * soon as it sees the new epoch.
 */
export async function writeCommissionPlan(
  tx: Tx,
  plan: { readonly rates?: readonly CommissionRate[]; readonly shares?: readonly CommissionShare[] },
): Promise<void> {
  for (const { product, network, rateBasisPoints: rate_basis_points } of plan.rates ?? []) {
    await tx
      .insertInto('commission_rates')
      .values({ product, network, rate_basis_points })
      .onConflict((conflict) => conflict.columns(['product', 'network']).doUpdateSet({ rate_basis_points }))
      .execute()
  }
  for (const { product, role, shareBasisPoints: share_basis_points } of plan.shares ?? []) {
    await tx
      .insertInto('commission_shares')
      .values({ product, role, share_basis_points })
      .onConflict((conflict) => conflict.columns(['product', 'role']).doUpdateSet({ share_basis_points }))
      .execute()
  }
  await raiseCatalogueVersion(tx)
}
