import { sql } from 'kysely'
import { pesewas } from '../../money/pesewas.ts'
import { lockWallets, type WalletKey } from '../../money/wallets.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { Attempt } from '../attempt.ts'
import type { Decision, NextStep } from '../next-step.ts'
import { type Order, pesewasOf, type SoldBy } from '../order.ts'
import { lockLeasedOrders } from '../schedule/lock-leased-orders.ts'
import { type OrderRelease, releaseOrders } from '../schedule/release-orders.ts'
import { creditCommissions, mayEarnCommission } from './credit-commissions.ts'
import { lockStock } from './lock-stock.ts'
import { moveOrders, type OrderMove } from './move-orders.ts'
import { type ReportedSale, raiseLossAlarms } from './raise-loss-alarms.ts'
import { recordAnswers, type SpokenAnswer } from './record-answers.ts'
import { recordContradictions } from './record-contradictions.ts'
import { refundOrders } from './refund-orders.ts'
import { refundOf } from './return-money.ts'

/** An answer, the decision on it, and the lease under which it came. */
export type Settlement = {
  readonly order: Order
  /** What sold it. */
  readonly product: SoldBy
  /** What was bought, such as `MTN 1GB`. */
  readonly title: string
  readonly attempt: Attempt
  readonly leaseNo: number
  /** Why the order had been waiting, before this answer. */
  readonly holdReason: string | null
  readonly spoken: SpokenAnswer
  readonly decision: Decision
  /** Whether the order, should it fail now, is refunded in the same transaction. */
  readonly refunds: boolean
  readonly actor: string
}

/** The result of a batch. `late` are answers whose lease was lost: they are recorded but change nothing. */
export type SettledBatch = { readonly settled: readonly Settlement[]; readonly late: readonly Settlement[] }

/** Removes ended orders from the schedule, and records what callbacks said against their end while they were open. */
async function closeOrders(tx: Tx, ended: readonly Settlement[], to: 'completed' | 'failed'): Promise<void> {
  if (ended.length === 0) return
  const { rows } = await sql<{ attempt_id: string; evidence: string }>`
    with closed as (
      delete from open_orders where order_id = any(${ended.map(({ order }) => order.id)}::uuid[]) returning attempt_id
    )
    select attempt_answers.attempt_id, attempt_answers.evidence
    from closed join attempt_answers on attempt_answers.attempt_id = closed.attempt_id
    where source = 'callback' and answer = ${to === 'completed' ? 'failed' : 'delivered'}`.execute(tx)
  if (rows.length === 0) return
  const denied = rows.flatMap(({ attempt_id, evidence }) => {
    const settlement = ended.find(({ attempt }) => attempt.id === attempt_id)
    if (!settlement) return []
    const recordedAnswer = to === 'completed' ? ('failed' as const) : ('delivered' as const)
    return [{ ...settlement, spoken: { ...settlement.spoken, evidence }, decision: { ...settlement.decision, recordedAnswer } }]
  })
  await recordContradictions(tx, denied)
}

function movesOf(settlements: readonly Settlement[]): OrderMove[] {
  return settlements.map(({ order, decision }) => ({ orderId: order.id, reason: decision.outcome }))
}

async function endOrders(tx: Tx, ending: readonly Settlement[], to: 'completed' | 'failed'): Promise<void> {
  for (const [actor, group] of Map.groupBy(ending, (settlement) => settlement.actor)) {
    const moved = await moveOrders(tx, 'processing', to, actor, movesOf(group))
    if (moved.length !== group.length) throw new Error('an open order was not in processing when its answer came')
    if (to === 'failed') {
      const refunds = group.filter((settlement) => settlement.refunds)
      await refundOrders(
        tx,
        refunds.map(({ order, product }) => refundOf(product, order)),
        actor,
      )
    } else {
      await creditCommissions(tx, group)
    }
  }
  await closeOrders(tx, ending, to)
}

/**
 * How many seconds after a supplier's "not registered" the registration is checked. The wait grows with each attempt:
 * where the registration servers and the supplier disagree, the order would otherwise go back and forth all day.
 */
const registrationWaitSeconds = [5, 30, 300, 1_800]

function registrationWaitAfter(attemptNo: number): number {
  return registrationWaitSeconds[Math.min(attemptNo, registrationWaitSeconds.length) - 1] ?? 0
}

function releaseOf({ order, attempt, decision: { step } }: Settlement): OrderRelease | undefined {
  const orderId = order.id
  switch (step.do) {
    case 'complete':
    case 'fail':
      return undefined
    case 'ask_again':
      return { orderId, afterSeconds: step.afterSeconds, holdReason: step.holdReason, isAttemptOver: false }
    case 'send_again':
      return { orderId, afterSeconds: step.afterSeconds, holdReason: step.holdReason, isAttemptOver: true }
    case 'send_elsewhere':
      return { orderId, afterSeconds: 0, holdReason: null, isAttemptOver: true, route: step.route }
    case 'send_elsewhere_later': {
      const { afterSeconds, holdReason, route } = step
      return { orderId, afterSeconds, holdReason, isAttemptOver: true, route }
    }
    case 'hold_for_registration': {
      const afterSeconds = registrationWaitAfter(attempt.attemptNo)
      return { orderId, afterSeconds, holdReason: 'not_registered', isAttemptOver: true }
    }
  }
  return step satisfies never
}

/** What a supplier that took an order says it charges, less the commission that it pays us. */
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
  return settlements.flatMap(({ order, decision, refunds }): WalletKey[] => {
    const { accountId } = order
    if (decision.step.do === 'fail' && refunds) return [{ accountId, purse: 'main' }]
    if (decision.step.do === 'complete' && mayEarnCommission(order)) return [{ accountId, purse: 'commission' }]
    return []
  })
}

/**
 * Commits suppliers' answers in this one transaction: the answers as evidence, the outcomes of the attempts, and each
 * order's end (with its refund or commission) or next step. Only orders whose lease is still ours change, so of several
 * workers that settle one order, one acts.
 *
 * Locks wallets, then stock, then open orders, then orders, as everywhere.
 */
export async function settleOrders(tx: Tx, settlements: readonly Settlement[]): Promise<SettledBatch> {
  const wallets = walletsOf(settlements)
  if (wallets.length > 0) await lockWallets(tx, wallets)
  await lockStock(
    tx,
    settlements.flatMap(({ order, decision, refunds }) => (decision.step.do === 'fail' && refunds ? order.id : [])),
  )
  const leased = await lockLeasedOrders(
    tx,
    settlements.map(({ order, leaseNo }) => ({ orderId: order.id, leaseNo })),
  )
  const settled = settlements.filter(({ order }) => leased.has(order.id))
  const late = settlements.filter(({ order }) => !leased.has(order.id))
  await recordAnswers(tx, settled, late)
  const ended = (to: NextStep['do']) => settled.filter(({ decision }) => decision.step.do === to)
  await endOrders(tx, ended('complete'), 'completed')
  await endOrders(tx, ended('fail'), 'failed')
  await releaseOrders(
    tx,
    settled.flatMap((settlement) => {
      const release = releaseOf(settlement)
      return release ? { ...release, isOurMistake: settlement.decision.isOurMistake === true } : []
    }),
  )
  if (late.length > 0) await recordContradictions(tx, late)
  // Done last, because many transactions may share one alarm: its row stays locked only for a moment.
  await raiseLossAlarms(tx, settled.flatMap(reportedSaleOf))
  return { settled, late }
}
