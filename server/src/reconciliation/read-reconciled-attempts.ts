import { type RawBuilder, sql } from 'kysely'
import type { CostExpectation, ExpectedCost } from '../money/expected-cost.ts'
import { type Pesewas, pesewas } from '../money/pesewas.ts'
import type { Db } from '../platform/database/database.ts'

/**
 * An attempt at a supplier with its expected cost and the supplier's own figures. Amounts in whole pesewas, null when not
 * known.
 */
export type ReconciledAttempt = {
  readonly attemptId: string
  readonly outgoingReference: string
  readonly outcome: string | null
  readonly createdAt: Date
  readonly orderId: string
  readonly orderReference: string
  readonly orderStatus: string
  readonly kind: string
  readonly expectedCostPesewas: number | null
  readonly reportedCostPesewas: number | null
  readonly expectedCommissionPesewas: number | null
  readonly reportedCommissionPesewas: number | null
  /** Base of the commission that the reseller was credited when the order was completed. */
  readonly earnedCommissionPesewas: number | null
}

type Row = {
  attempt_id: string
  outgoing_reference: string
  outcome: string | null
  expected_cost: number | null
  created_at: Date
  order_id: string
  reference: string
  status: string
  kind: string
  price: number
  details: Record<string, unknown>
  reported_cost: number | null
  reported_commission: number | null
  earned: number | null
}

/** The supplier, and how each product calculates the expected cost of its orders. */
export type ReconcilingWith = { readonly supplier: string; readonly expectations: readonly CostExpectation[] }

async function expectCosts(
  db: Db,
  { supplier, expectations }: ReconcilingWith,
  rows: readonly Row[],
): Promise<Map<string, ExpectedCost>> {
  const expected = new Map<string, ExpectedCost>()
  for (const [kind, ofKind] of Map.groupBy(rows, (row) => row.kind)) {
    const expectation = expectations.find((each) => each.kind === kind)
    if (!expectation) continue
    const orders = ofKind.map((row) => ({ orderId: row.order_id, pricePesewas: pesewas(row.price), details: row.details }))
    for (const [orderId, cost] of await expectation.expect(db, supplier, orders)) expected.set(orderId, cost)
  }
  return expected
}

/** Reads a supplier's attempts that match a condition, in the order of their ids, with expected and reported costs. */
export async function readReconciledAttempts(
  db: Db,
  expecting: ReconcilingWith,
  condition: RawBuilder<unknown>,
  limit?: number,
): Promise<ReconciledAttempt[]> {
  const { rows } = await sql<Row>`
    select attempts.id as attempt_id, attempts.outgoing_reference, attempts.outcome, attempts.expected_cost,
      attempts.created_at,
      orders.id as order_id, orders.reference, orders.status, orders.kind, orders.price, orders.details,
      order_commissions.base as earned,
      (select reported_cost from attempt_answers where attempt_id = attempts.id and reported_cost is not null
        order by answer_no desc limit 1) as reported_cost,
      (select reported_commission from attempt_answers where attempt_id = attempts.id and reported_commission is not null
        order by answer_no desc limit 1) as reported_commission
    from attempts
    join orders on orders.id = attempts.order_id
    left join order_commissions on order_commissions.order_id = orders.id
    where attempts.supplier = ${expecting.supplier} and ${condition}
    order by attempts.id
    ${limit === undefined ? sql`` : sql`limit ${limit}`}`.execute(db)
  const expected = await expectCosts(db, expecting, rows)
  const orNull = (amount: Pesewas | null | undefined) => amount ?? null
  return rows.map((row) => ({
    attemptId: row.attempt_id,
    outgoingReference: row.outgoing_reference,
    outcome: row.outcome,
    createdAt: row.created_at,
    orderId: row.order_id,
    orderReference: row.reference,
    orderStatus: row.status,
    kind: row.kind,
    // The cost that was expected when the attempt began. Old attempts did not store it, so today's price is used.
    expectedCostPesewas: row.expected_cost ?? orNull(expected.get(row.order_id)?.costPesewas),
    reportedCostPesewas: row.reported_cost,
    expectedCommissionPesewas: orNull(expected.get(row.order_id)?.commissionPesewas),
    reportedCommissionPesewas: row.reported_commission,
    earnedCommissionPesewas: row.earned,
  }))
}
