import { pesewas } from '../../money/pesewas.ts'
import { lockWallets, type WalletKey } from '../../money/wallets.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { pesewasOf } from '../order.ts'
import { creditCommissions, earnsCommission, mayEarnCommission } from './credit-commissions.ts'
import { findLoss, type ReportedSale, raiseLossAlarms } from './raise-loss-alarms.ts'
import { recordContradictions } from './record-contradictions.ts'
import { lockStock, refundOrders } from './refund-orders.ts'
import { refundOf } from './return-money.ts'
import { needsLargerTransaction, type SettledBatch, type Settlement, settleAttempts } from './settle-attempts.ts'

/** Moves the money of orders that have just ended: refunds to those that failed, commissions to those that were completed. */
async function moveMoney(tx: Tx, settled: readonly Settlement[]): Promise<void> {
  await creditCommissions(
    tx,
    settled.filter(({ decision }) => decision.step.do === 'complete'),
  )
  for (const [actor, group] of Map.groupBy(settled.filter(isRefunded), (settlement) => settlement.actor)) {
    const refunds = group.map(({ order, product }) => refundOf(product, order))
    await refundOrders(tx, refunds, actor)
  }
}

function isRefunded({ decision, refunds }: Settlement): boolean {
  return decision.step.do === 'fail' && refunds
}

/** The charge that the supplier of a taken order reported, less the commission that it pays us. */
function reportedSaleOf({ order, product, title, attempt, spoken, decision }: Settlement): ReportedSale[] {
  const { reportedCostPesewas: reported } = spoken
  const isTaken = decision.outcome === 'accepted' || decision.outcome === 'delivered'
  if (reported === null || !isTaken) return []
  const costPesewas = pesewas(Math.max(0, reported - (spoken.reportedCommissionPesewas ?? 0)))
  const { reference } = order
  const { supplier, expectedCostPesewas } = attempt
  return [{ reference, title, supplier, pricePesewas: pesewasOf(product, order), expectedCostPesewas, costPesewas }]
}

/** The wallets that get money when these orders end. */
function walletsOf(settlements: readonly Settlement[]): WalletKey[] {
  return settlements.flatMap((settlement): WalletKey[] => {
    const { order, decision } = settlement
    const { accountId } = order
    if (isRefunded(settlement)) return [{ accountId, purse: 'main' }]
    if (decision.step.do === 'complete' && mayEarnCommission(order)) return [{ accountId, purse: 'commission' }]
    return []
  })
}

/** True when an answer changes only its attempt and its order: it moves no money and raises no alarm. */
function isPlain(settlement: Settlement): boolean {
  if (isRefunded(settlement)) return false
  if (settlement.decision.step.do === 'complete' && earnsCommission(settlement.order)) return false
  return reportedSaleOf(settlement).every((sale) => findLoss(sale) === undefined)
}

/** Writes the answers' changes, moves their money and raises their alarms, all in this transaction. */
async function settleWithMoney(tx: Tx, settlements: readonly Settlement[]): Promise<SettledBatch> {
  const wallets = walletsOf(settlements)
  if (wallets.length > 0) await lockWallets(tx, wallets)
  await lockStock(
    tx,
    settlements.filter(isRefunded).map(({ order }) => order.id),
  )
  const { settled, late, denied } = await settleAttempts(tx, settlements, false)
  await moveMoney(tx, settled)
  if (late.length + denied.length > 0) await recordContradictions(tx, [...denied, ...late])
  // Done last, because many transactions may share one alarm: its row stays locked only for a moment.
  await raiseLossAlarms(tx, settled.flatMap(reportedSaleOf))
  return { settled, late }
}

/**
 * Commits suppliers' answers: the answers as evidence, the outcomes of the attempts, and each order's end (with its refund or
 * commission) or next step. Only orders whose lease is still ours change, so of several workers that settle one order, only one
 * changes it.
 *
 * Most answers move no money: a batch of such answers is one call to the database. Every other batch, and one for which that
 * call fails with `needsLargerTransaction`, is one transaction, which locks wallets, then stock, then open orders, then orders,
 * as everywhere.
 */
export async function settleOrders(db: Db, settlements: readonly Settlement[]): Promise<SettledBatch> {
  if (settlements.every(isPlain)) {
    try {
      return await settleAttempts(db, settlements, true)
    } catch (error) {
      if (!needsLargerTransaction(error)) throw error
    }
  }
  return inTransaction(db, (tx) => settleWithMoney(tx, settlements))
}
