import { sql } from 'kysely'
import Type, { type Static } from 'typebox'
import { formatGhs, type Pesewas, pesewas } from '../../money/pesewas.ts'
import { transferMany } from '../../money/transfer-many.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { type Order, pesewasOf } from '../order.ts'
import { isEnded } from '../order-life-cycle.ts'
import type { ProductFacts } from '../product-facts.ts'
import {
  decideByTwoPeople,
  orderApprovalKind,
  orderRequestFields,
  type PersonDecision,
  type RefusalExplanation,
  type TwoPersonDecision,
  type TwoPersonResult,
} from './decide-by-two-people.ts'

const AdjustmentRequest = Type.Object({
  ...orderRequestFields,
  /** In pesewas. Above 0: we pay the reseller. Below 0: the reseller pays us. */
  amount: Type.Integer(),
})
type AdjustmentRequest = Static<typeof AdjustmentRequest>

type AdjustmentFacts = {
  readonly balancePesewas: Pesewas
  /** The sum of all earlier adjustments of this order: above 0 to the reseller, below 0 from them. */
  readonly adjustedPesewas: Pesewas
}

async function readFacts(tx: Tx, orderId: string): Promise<AdjustmentFacts> {
  const { rows } = await sql<{ balance: number; adjusted: number }>`
    select wallets.balance, coalesce((
      select sum((request ->> 'amount')::bigint) from approvals
      where key = orders.id::text and kind = 'order adjust' and state = 'done'), 0)::bigint as adjusted
    from orders join wallets on wallets.account_id = orders.account_id and wallets.purse = 'main'
    where orders.id = ${orderId}`.execute(tx)
  const row = rows[0]
  if (!row) throw new Error(`order ${orderId} has no wallet`)
  return { balancePesewas: pesewas(row.balance), adjustedPesewas: pesewas(row.adjusted) }
}

/** The reason why the order cannot be adjusted by this much, and the command that helps instead. */
function refuseAdjustment(
  order: Order,
  facts: AdjustmentFacts,
  { amount }: AdjustmentRequest,
  product: ProductFacts,
): RefusalExplanation | undefined {
  const { status, reference } = order
  if (product.unit === 'credits') {
    return { why: `Order ${reference} was paid in credits, not in money.`, command: 'Use `makola sms credit`.' }
  }
  if (status === 'failed') {
    return { why: `Order ${reference} failed: it is refunded, not adjusted.`, command: 'Use `makola order refund`.' }
  }
  if (!isEnded(status)) return { why: `Order ${reference} is ${status}: it has not ended, so there is nothing to make good yet.` }
  const pricePesewas = pesewasOf(product, order)
  if (Math.abs(facts.adjustedPesewas + amount) > pricePesewas) {
    const before = facts.adjustedPesewas === 0 ? '' : `, ${formatGhs(facts.adjustedPesewas)} adjusted before`
    return {
      why: `Order ${reference} cost ${formatGhs(pricePesewas)}${before}: an adjustment cannot come to more than the price.`,
    }
  }
  if (facts.balancePesewas + amount < 0)
    return { why: `The main wallet holds ${formatGhs(facts.balancePesewas)}, less than is to be taken back.` }
  return undefined
}

const adjustment: TwoPersonDecision<AdjustmentRequest, AdjustmentFacts> = {
  name: 'order adjust',
  schema: AdjustmentRequest,
  purses: ['main'],
  describe: ({ reference, amount }) => {
    const sum = formatGhs(pesewas(Math.abs(amount)))
    return amount > 0
      ? `give ${sum} to the reseller of order ${reference}`
      : `take ${sum} from the reseller of order ${reference}`
  },
  lockFacts: readFacts,
  refuse: refuseAdjustment,
  foresee: (_order, { balancePesewas }, { amount }) => ({
    before: formatGhs(balancePesewas),
    after: formatGhs(pesewas(balancePesewas + amount)),
  }),
  async carryOut(tx, { accountId, reference }, _facts, { amount }, { approvalId }) {
    const [fromPurse, toPurse] = amount > 0 ? (['adjustments', 'main'] as const) : (['main', 'adjustments'] as const)
    await transferMany(tx, [
      { causeId: approvalId, kind: 'adjustment', accountId, fromPurse, toPurse, amount: Math.abs(amount), note: reference },
    ])
    return { amount: formatGhs(pesewas(amount)) }
  },
}

export const adjustmentKind = (products: readonly ProductFacts[]) => orderApprovalKind(products, adjustment)

/**
 * Records one person's decision to pay the reseller (above 0), or to take back (below 0), an amount in pesewas for an ended
 * order. When a second person agrees to the same amount, it moves between the platform and the main wallet, once. The order
 * itself does not change (decision S12: evidence against an ended order). All adjustments of an order together stay within its
 * price.
 *
 * @throws RangeError when the amount is 0
 */
export function adjustByPeople(
  db: Db,
  products: readonly ProductFacts[],
  { amountPesewas: amount, ...decision }: PersonDecision & { readonly amountPesewas: Pesewas },
): Promise<TwoPersonResult> {
  if (amount === 0) throw new RangeError('an adjustment of nothing')
  return decideByTwoPeople(db, adjustmentKind(products), decision, (about) => ({ ...about, amount }))
}
