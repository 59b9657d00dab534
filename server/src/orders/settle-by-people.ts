import { sql } from 'kysely'
import { lockWallets } from '../money/wallets.ts'
import type { Db, Tx } from '../platform/database/database.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import { newId } from '../platform/database/new-id.ts'
import { appendOperatorLog } from '../platform/operator-log/append-operator-log.ts'
import { creditCommissions } from './credit-commissions.ts'
import { moveOrders } from './move-orders.ts'
import { listOrdersById, type Order } from './order.ts'
import { isEnded, isLegalMove } from './order-life-cycle.ts'
import { isOwnLoopRoute } from './own-loop-route.ts'
import { isPeoplesRoute } from './peoples-route.ts'
import { refundOrders } from './refund-orders.ts'

export type SettlementWord = {
  readonly orderId: string
  readonly outcome: 'completed' | 'failed'
  /** What this person knows, such as the supplier's ticket number. */
  readonly evidence: string
  /** The person. */
  readonly by: string
}

export type SettlementResult =
  | { readonly state: 'proposed' | 'settled'; readonly order: Order }
  | { readonly state: 'refused'; readonly why: string }

type Proposal = { id: string; outcome: string; proposed_by: string }
type OpenRow = { route: string; attempt_id: string | null; is_leased: boolean }

async function lockOpenRow(tx: Tx, orderId: string): Promise<OpenRow | undefined> {
  const { rows } = await sql<OpenRow>`
    select route, attempt_id, lease_until > clock_timestamp() as is_leased
    from open_orders where order_id = ${orderId} for update`.execute(tx)
  return rows[0]
}

async function propose(tx: Tx, word: SettlementWord, open: Proposal | undefined): Promise<void> {
  const values = { outcome: word.outcome, evidence: word.evidence, proposed_by: word.by }
  if (open) await tx.updateTable('settlement_proposals').set(values).where('id', '=', open.id).execute()
  else {
    await tx
      .insertInto('settlement_proposals')
      .values({ id: newId(), order_id: word.orderId, ...values, confirmed_by: null, confirmed_at: null })
      .execute()
  }
}

/** The people's word stands beside the supplier's, as one more answer about the attempt. */
async function recordWord(tx: Tx, attemptId: string, word: SettlementWord, evidence: string): Promise<void> {
  const outcome = word.outcome === 'completed' ? 'delivered' : 'failed'
  await tx
    .insertInto('attempt_answers')
    .values({
      attempt_id: attemptId,
      source: 'person',
      answer: outcome,
      evidence,
      supplier_reference: null,
      reported_cost: null,
      reported_commission: null,
    })
    .execute()
  await sql`update attempts set outcome = ${outcome}, answered_at = clock_timestamp() where id = ${attemptId}`.execute(tx)
}

async function confirm(tx: Tx, order: Order, openRow: OpenRow, proposal: Proposal, word: SettlementWord): Promise<void> {
  await sql`
    update settlement_proposals set confirmed_by = ${word.by}, confirmed_at = now() where id = ${proposal.id}`.execute(tx)
  const actor = `${proposal.proposed_by} and ${word.by}`
  if (openRow.attempt_id !== null) await recordWord(tx, openRow.attempt_id, word, `${actor}: ${word.evidence}`)
  const moved = await moveOrders(tx, order.status, word.outcome, actor, [{ orderId: order.id, reason: 'settled by two people' }])
  if (moved.length !== 1) throw new Error(`order ${order.reference} moved while it was locked`)
  await sql`delete from open_orders where order_id = ${order.id}`.execute(tx)
  if (word.outcome === 'failed') {
    await refundOrders(tx, [{ orderId: order.id, accountId: order.accountId, pricePesewas: order.pricePesewas }], actor)
  } else {
    await creditCommissions(tx, [order])
  }
}

/** Why this word cannot be taken, or undefined. */
function refusalOf(
  order: Order | undefined,
  openRow: OpenRow | undefined,
  open: Proposal | undefined,
  word: SettlementWord,
): string | undefined {
  if (!order) return 'There is no such order.'
  if (isEnded(order.status) || !openRow) return `Order ${order.reference} is ${order.status} already; that is final.`
  if (isPeoplesRoute(openRow.route)) return `Order ${order.reference} is worked off by people: use \`makola ${order.kind}\`.`
  if (isOwnLoopRoute(openRow.route)) return `Order ${order.reference} settles by itself, at the latest at its deadline.`
  if (!isLegalMove(order.status, word.outcome))
    return `Order ${order.reference} is ${order.status}: it was never sent, so it cannot be ${word.outcome}.`
  if (openRow.is_leased)
    return `A worker is speaking with the supplier about order ${order.reference} right now. Try again in a minute.`
  if (open && open.proposed_by !== word.by && open.outcome !== word.outcome) {
    return `${open.proposed_by} proposed "${open.outcome}" for order ${order.reference}. Agree on one outcome first.`
  }
  return undefined
}

/**
 * Takes one person's word on how an open order ended. The first person's is a proposal, which the same
 * person may correct; when a second person says the same, the order is settled, and refunded if it
 * failed. Waits for no supplier; an answer that comes later is weighed as evidence against a terminal order.
 */
export function settleByPeople(db: Db, word: SettlementWord): Promise<SettlementResult> {
  return inTransaction(db, async (tx) => {
    const known = (await listOrdersById(tx, [word.orderId])).get(word.orderId)
    if (known) {
      const { accountId } = known
      await lockWallets(tx, [
        { accountId, purse: 'commission' },
        { accountId, purse: 'main' },
      ])
    }
    const openRow = await lockOpenRow(tx, word.orderId)
    // Read again under the locks: a worker may have settled it in between.
    const order = (await listOrdersById(tx, [word.orderId])).get(word.orderId)
    const { rows } = await sql<Proposal>`
      select id, outcome, proposed_by from settlement_proposals
      where order_id = ${word.orderId} and confirmed_at is null for update`.execute(tx)
    const open = rows[0]
    const why = refusalOf(order, openRow, open, word)
    if (why !== undefined || !order || !openRow) return { state: 'refused', why: why ?? 'There is no such order.' }
    const isSecondPerson = open !== undefined && open.proposed_by !== word.by
    if (isSecondPerson) await confirm(tx, order, openRow, open, word)
    else await propose(tx, word, open)
    const action = isSecondPerson ? 'order settle confirm' : 'order settle propose'
    await appendOperatorLog(tx, {
      actor: word.by,
      action,
      subject: order.reference,
      details: { as: word.outcome, evidence: word.evidence },
    })
    const settled = (await listOrdersById(tx, [word.orderId])).get(word.orderId)
    return { state: isSecondPerson ? 'settled' : 'proposed', order: settled ?? order }
  })
}
