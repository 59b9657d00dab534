import { sql } from 'kysely'
import type { Db } from '../platform/database/database.ts'
import { cachedByEpoch, type Epoch } from '../platform/database/epoch.ts'
import type { CommissionTerms } from './commission-terms.ts'

/** The operator's rates and shares of all products. A rate or share that is not set is 0. */
export type CommissionPlan = {
  /** The catalogue's version when the plan was read. An order with terms of another version gets new terms. */
  readonly version: number
  /** In basis points, by `planKey(product, network)` and `planKey(product, role)`. */
  readonly rates: ReadonlyMap<string, number>
  readonly shares: ReadonlyMap<string, number>
}

function planKey(product: string, networkOrRole: string): string {
  return `${product}/${networkOrRole}`
}

/** Reads rates and shares in one snapshot, so that both are of the same version. */
export async function readCommissionPlan(db: Db): Promise<CommissionPlan> {
  const { rows } = await sql<{
    version: number
    rates: { product: string; network: string; rate: number }[] | null
    shares: { product: string; role: string; share: number }[] | null
  }>`
    select catalogue_version as version,
      (select json_agg(json_build_object('product', product, 'network', network, 'rate', rate_basis_points))
        from commission_rates) as rates,
      (select json_agg(json_build_object('product', product, 'role', role, 'share', share_basis_points))
        from commission_shares) as shares
    from cache_epoch`.execute(db)
  const row = rows[0]
  return {
    version: row?.version ?? 0,
    rates: new Map((row?.rates ?? []).map(({ product, network, rate }) => [planKey(product, network), rate])),
    shares: new Map((row?.shares ?? []).map(({ product, role, share }) => [planKey(product, role), share])),
  }
}

/** Caches the plan, and reads it again when the epoch has changed. */
export function openCommissionPlan(db: Db, epoch: Epoch): () => Promise<CommissionPlan> {
  const load = cachedByEpoch(epoch, () => readCommissionPlan(db))
  return () => load('')
}

/**
 * The commission terms of an order that is placed now.
 * @param role the role that decides prices, so an expired agent has a customer's share (decision S9b); undefined when the
 * caller earns nothing
 */
export function commissionTerms(
  plan: CommissionPlan,
  product: string,
  network: string,
  role: string | undefined,
): CommissionTerms {
  return {
    rateBasisPoints: plan.rates.get(planKey(product, network)) ?? 0,
    shareBasisPoints: role === undefined ? 0 : (plan.shares.get(planKey(product, role)) ?? 0),
  }
}
