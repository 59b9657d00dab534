import { type RawBuilder, sql } from 'kysely'
import type { CostExpectation, ExpectedCost } from '../money/expected-cost.ts'
import { type Pesewas, pesewas } from '../money/pesewas.ts'
import type { Db } from '../platform/database/database.ts'
import { rowsOf } from '../platform/database/rows-of.ts'

/**
 * An attempt at a supplier with its expected cost and the supplier's own figures. Amounts in whole pesewas, null when not
 * known.
 */
export type ReconciledAttempt = {
  readonly attemptNo: number
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
  attempt_no: number
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

/** The attempts as the table `ours` of a statement. */
export const tableOf = (attempts: readonly ReconciledAttempt[]) =>
  rowsOf(attempts, {
    order_id: ['uuid', ({ orderId }) => orderId],
    attempt_no: ['integer', ({ attemptNo }) => attemptNo],
    outgoing_reference: ['text', ({ outgoingReference }) => outgoingReference],
  }).as('ours')

/**
 * Reads the wanted attempts at the supplier, sorted by order and attempt, with expected and reported costs.
 * @param wanted a query for `order_id` and `attempt_no`
 */
export async function readReconciledAttempts(
  db: Db,
  expecting: ReconcilingWith,
  wanted: RawBuilder<{ order_id: string; attempt_no: number }>,
): Promise<ReconciledAttempt[]> {
  const { rows } = await sql<Row>`
    select attempts.attempt_no, attempts.outgoing_reference, attempts.outcome, attempts.expected_cost,
      attempts.created_at,
      orders.id as order_id, orders.reference, orders.status, orders.kind, orders.price, orders.details,
      order_commissions.base as earned,
      (select reported_cost from attempt_answers where order_id = orders.id and attempt_no = attempts.attempt_no
        and reported_cost is not null order by answer_no desc limit 1) as reported_cost,
      (select reported_commission from attempt_answers where order_id = orders.id and attempt_no = attempts.attempt_no
        and reported_commission is not null order by answer_no desc limit 1) as reported_commission
    from (${wanted}) as wanted
    cross join lateral (
      select * from attempts where order_id = wanted.order_id and attempt_no = wanted.attempt_no limit 1
    ) as attempts
    cross join lateral (select * from orders where orders.id = wanted.order_id limit 1) as orders
    left join order_commissions on order_commissions.order_id = orders.id
    where attempts.supplier = ${expecting.supplier}
    order by orders.id, attempts.attempt_no`.execute(db)
  const expected = await expectCosts(db, expecting, rows)
  const orNull = (amount: Pesewas | null | undefined) => amount ?? null
  return rows.map((row) => ({
    attemptNo: row.attempt_no,
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
