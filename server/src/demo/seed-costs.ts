import { sql } from 'kysely'
import type { Tx } from '../platform/database/database.ts'
import { rowsOf } from '../platform/database/rows-of.ts'
import { voucherCost } from '../products/results-checker/cost/voucher-cost.ts'

/**
 * Invented costs, in pesewas or in percent of the amount, below every price of the demo. Those of vouchers follow from their
 * prices.
 */
const costs = [
  { product: 'afa', key: '', pesewas: 800, percent: 0 },
  { product: 'sms', key: 'smsc', pesewas: 2.55, percent: 0 },
  { product: 'top_ups', key: 'paystack', pesewas: 0, percent: 1.95 },
  { product: 'top_ups', key: 'mtn-momo', pesewas: 0, percent: 1 },
] as const

/** The cost of a voucher, as a part of the price for dealers. */
const partOfDealerPrice = 0.93

/** Writes the costs that no supplier reports, valid from a time before the demo's history. */
export async function seedCosts(tx: Tx): Promise<void> {
  const types = await tx.selectFrom('voucher_types').select(['id', 'price_dealer']).execute()
  const vouchers = types.map(({ id, price_dealer: price }) => ({
    product: voucherCost.product,
    key: id,
    pesewas: Math.round(price * partOfDealerPrice),
    percent: 0,
  }))
  await sql`
    insert into unit_costs ${rowsOf([...costs, ...vouchers], {
      product: ['text', ({ product }) => product],
      key: ['text', ({ key }) => key],
      pesewas: ['float8', ({ pesewas }) => pesewas],
      percent: ['float8', ({ percent }) => percent],
      valid_from: ['timestamptz', () => new Date('2000-01-01T00:00:00Z')],
      actor: ['text', () => 'demo'],
    }).forInsert()}`.execute(tx)
}
