import { sql } from 'kysely'
import { type AuditCheck, type IdRules, idRules } from '../money/audit.ts'
import { isAgreed } from '../platform/approvals/two-people.ts'
import { rowsOf } from '../platform/database/rows-of.ts'
import { meaningOf, outcomes } from './outcomes.ts'
import type { ProductFacts } from './product-facts.ts'

const withoutDelivery = Object.keys(outcomes).filter((outcome) => meaningOf(outcome)?.proves === 'no delivery')

const openRowOfAnEndedOrder: AuditCheck = {
  name: 'open_row_of_an_ended_order',
  badRows: () => sql`
    select count(*) as bad
    from open_orders left join orders on orders.id = open_orders.order_id
    where orders.id is null or orders.status not in ('queued', 'pending', 'processing')`,
}

const moneyRules: IdRules = {
  order_without_exactly_one_debit: (within) => sql`
    from orders left join transfers on transfers.cause_id = orders.id and transfers.kind = 'purchase' and ${within(sql`transfers.cause_id`)}
    where ${within(sql`orders.id`)} and transfers.cause_id is null`,
  debit_without_order: (within) => sql`
    from transfers left join orders on orders.id = transfers.cause_id and ${within(sql`orders.id`)}
    where transfers.kind in ('purchase', 'refund') and ${within(sql`transfers.cause_id`)} and orders.id is null`,
  price_differs_from_debit: (within) => sql`
    from orders join transfers on transfers.cause_id = orders.id and transfers.kind in ('purchase', 'refund')
    where ${within(sql`orders.id`)} and ${within(sql`transfers.cause_id`)}
      and (transfers.amount <> orders.price or transfers.account_id <> orders.account_id)`,
  refunded_without_exactly_one_refund: (within) => sql`
    from orders left join transfers on transfers.cause_id = orders.id and transfers.kind = 'refund' and ${within(sql`transfers.cause_id`)}
    where ${within(sql`orders.id`)} and orders.status = 'refunded' and transfers.cause_id is null`,
  refund_of_an_order_that_is_not_refunded: (within) => sql`
    from orders join transfers on transfers.cause_id = orders.id and transfers.kind = 'refund' and ${within(sql`transfers.cause_id`)}
    where ${within(sql`orders.id`)} and orders.status not in ('refunded', 'cancelled')`,
  completed_with_refund: (within) => sql`
    from orders join transfers on transfers.cause_id = orders.id and transfers.kind = 'refund' and ${within(sql`transfers.cause_id`)}
    where ${within(sql`orders.id`)} and orders.status = 'completed'`,
  /** A settlement by people counts as evidence, because two people agreed on it. */
  refund_without_definitive_evidence: (within) => sql`
    from orders
    where ${within(sql`id`)} and status in ('failed', 'refunded')
      and exists (select from attempts where attempts.order_id = orders.id and ${within(sql`attempts.order_id`)}
        and (attempts.outcome is null or attempts.outcome <> all(${withoutDelivery}::text[])))
      and not exists (select from approvals
        where key = orders.id::text and ${isAgreed('order settle')} and request ->> 'outcome' = 'failed')`,
}

const historyRules: IdRules = {
  adjustment_without_two_people: (within) => sql`
    from (
      select word.id, (word.request ->> 'amount')::bigint as amount, orders.account_id
      from (select * from approvals where ${within(sql`id`)} and ${isAgreed('order adjust')}) as word
      left join orders on orders.id = (word.request ->> 'orderId')::uuid
    ) as agreed
    full join (
      select * from transfers where ${within(sql`cause_id`)} and kind = 'adjustment'
    ) as transfer on transfer.cause_id = agreed.id
    where agreed.id is null or transfer.cause_id is null
      or agreed.account_id is distinct from transfer.account_id
      or agreed.amount <> case when transfer.to_purse = 'main' then transfer.amount else -transfer.amount end`,
  reference_without_its_order: (within) => sql`
    from order_references left join orders on orders.id = order_references.order_id and ${within(sql`orders.id`)}
    where ${within(sql`order_references.order_id`)}
      and (orders.id is null or orders.reference <> order_references.reference
        or orders.account_id <> order_references.account_id or orders.kind <> order_references.kind)`,
  account_reference_without_its_order: (within) => sql`
    from account_references left join orders on orders.id = account_references.order_id and ${within(sql`orders.id`)}
    where ${within(sql`account_references.order_id`)}
      and (orders.id is null or orders.account_id <> account_references.account_id or orders.kind <> account_references.kind)`,
  second_attempt_without_proof_about_the_first: (within) => sql`
    from attempts join attempts as earlier on earlier.order_id = attempts.order_id and earlier.attempt_no < attempts.attempt_no
    where ${within(sql`attempts.order_id`)} and ${within(sql`earlier.order_id`)}
      and (earlier.outcome is null or earlier.outcome <> all(${withoutDelivery}::text[]))`,
  open_order_without_its_row: (within) => sql`
    from orders left join open_orders on open_orders.order_id = orders.id
    where ${within(sql`orders.id`)} and orders.status in ('queued', 'pending', 'processing') and open_orders.order_id is null`,
  status_differs_from_its_history: (within) => sql`
    from orders
    join lateral (
      select to_status from order_events where order_events.order_id = orders.id order by event_no desc limit 1
    ) as latest on true
    where ${within(sql`orders.id`)} and latest.to_status <> orders.status`,
}

/** The rules that depend on the products and on how each of them is fulfilled. */
function rulesOf(products: readonly ProductFacts[]): IdRules {
  const namesOf = (sold: readonly ProductFacts[]) => sold.map(({ name }) => name)
  const withoutSupplier = namesOf(products.filter(({ fulfilledBy }) => fulfilledBy !== 'suppliers'))
  const ofTheAccount = namesOf(products.filter(({ references }) => references === 'account'))
  const moves = products.flatMap(({ name, peoplesMoves }) => peoplesMoves.map((move) => ({ ...move, product: name })))
  return {
    /**
     * Leaves out products that no supplier delivers. Their own audit decides what proves a delivery. `offset 0` makes
     * PostgreSQL look up the attempts of each order by index. Without it the planner may join the two tables. If both were
     * analyzed before most of these orders were completed, it expects few rows, and compares each order with one attempt after
     * another: seconds for ten thousand orders.
     */
    completed_without_proof_of_delivery: (within) => sql`
    from orders
    where ${within(sql`id`)} and status = 'completed' and kind <> all(${withoutSupplier}::text[])
      and not exists (select from attempts where attempts.order_id = orders.id and attempts.outcome = 'delivered' offset 0)
      and not exists (select from approvals
        where key = orders.id::text and ${isAgreed('order settle')} and request ->> 'outcome' = 'completed')`,
    /** Orders that the purchase itself delivered. No supplier can prove that they failed, so a refund takes two people. */
    taken_back_without_two_people: (within) => sql`
    from orders
    left join (
      select distinct (request ->> 'orderId')::uuid as order_id from approvals where ${isAgreed('order take-back')}
    ) as agreed on agreed.order_id = orders.id
    where ${within(sql`orders.id`)} and orders.kind = any(${moves.map(({ product }) => product)}::text[])
      and (orders.status = 'refunded') <> (agreed.order_id is not null)`,
    moved_out_of_a_final_state: (within) => sql`
    from order_events join orders on orders.id = order_events.order_id
    where ${within(sql`order_events.order_id`)} and ${within(sql`orders.id`)}
      and order_events.from_status in ('completed', 'refunded', 'cancelled')
      and not exists (select from ${rowsOf(moves, {
        kind: ['text', ({ product }) => product],
        from_status: ['text', ({ from }) => from],
        to_status: ['text', ({ to }) => to],
      }).as('may')}
        where may.kind = orders.kind and may.from_status = order_events.from_status and may.to_status = order_events.to_status)`,
    /** Leaves out products whose references are an account's own. All others share one name space of references. */
    reference_on_two_orders: (within) => sql`
    from orders
    where ${within(sql`id`)} and kind <> all(${ofTheAccount}::text[])
      and not exists (select from order_references where order_references.reference = orders.reference
        and order_references.order_id = orders.id and ${within(sql`order_references.order_id`)})`,
  }
}

/** The rules between orders and money, and of the orders' life cycle, for these products. */
export function orderAuditChecks(products: readonly ProductFacts[]): readonly AuditCheck[] {
  return [...[moneyRules, rulesOf(products), historyRules].flatMap(idRules), openRowOfAnEndedOrder]
}
