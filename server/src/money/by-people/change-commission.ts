import type { Db } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { appendOperatorLog } from '../../platform/operator-log/append-operator-log.ts'
import { type CommissionRate, type CommissionShare, writeCommissionPlan } from '../write-commission-plan.ts'

export type CommissionActor = { readonly actor: string; readonly reason?: string | undefined }

const percentOfPoints = (basisPoints: number): number => basisPoints / 100

const shown = (basisPoints: number | undefined) => (basisPoints === undefined ? null : percentOfPoints(basisPoints))

/**
 * Lists every rate that suppliers are expected to pay, and each role's share of the commission, in percent with at most 2
 * decimals.
 */
export async function listCommissionTerms(db: Db) {
  const rates = await db.selectFrom('commission_rates').selectAll().orderBy('product').orderBy('network').execute()
  const shares = await db.selectFrom('commission_shares').selectAll().orderBy('product').orderBy('role').execute()
  return {
    rates: rates.map(({ rate_basis_points: points, ...rate }) => ({ ...rate, percent: percentOfPoints(points) })),
    shares: shares.map(({ share_basis_points: points, ...share }) => ({ ...share, percent: percentOfPoints(points) })),
  }
}

/** Sets the rate that a supplier is expected to pay, for orders placed from now on. */
export function changeCommissionRate(db: Db, rate: CommissionRate, { actor, reason }: CommissionActor): Promise<void> {
  const { product, network, rateBasisPoints } = rate
  return inTransaction(db, async (tx) => {
    const known = await tx
      .selectFrom('commission_rates')
      .select('rate_basis_points')
      .where('product', '=', product)
      .where('network', '=', network)
      .forUpdate()
      .executeTakeFirst()
    await writeCommissionPlan(tx, { rates: [rate] })
    const details = { before: shown(known?.rate_basis_points), after: shown(rateBasisPoints), unit: 'percent', reason }
    await appendOperatorLog(tx, { actor, action: 'commission set-rate', subject: `${product}/${network}`, details })
  })
}

/** Sets a role's share of the commission, for orders placed from now on. */
export function changeCommissionShare(db: Db, share: CommissionShare, { actor, reason }: CommissionActor): Promise<void> {
  const { product, role, shareBasisPoints } = share
  return inTransaction(db, async (tx) => {
    const known = await tx
      .selectFrom('commission_shares')
      .select('share_basis_points')
      .where('product', '=', product)
      .where('role', '=', role)
      .forUpdate()
      .executeTakeFirst()
    await writeCommissionPlan(tx, { shares: [share] })
    const details = { before: shown(known?.share_basis_points), after: shown(shareBasisPoints), unit: 'percent', reason }
    await appendOperatorLog(tx, { actor, action: 'commission set-share', subject: `${product}/${role}`, details })
  })
}
