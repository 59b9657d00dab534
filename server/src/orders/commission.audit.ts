import { sql } from 'kysely'
import type { AuditCheck } from '../money/audit.ts'

const commissionCountWrong: AuditCheck = {
  name: 'commission_count_wrong',
  pieces: 'ids',
  badRows: ({ within }) => sql`
    select count(*) as bad
    from orders
    left join order_commissions as earned on earned.order_id = orders.id
    left join transfers on transfers.cause_id = orders.id and transfers.kind = 'commission'
    where ${within(sql`orders.id`)}
      and ((orders.status = 'completed' and orders.details ? 'commission') is distinct from (earned.order_id is not null)
        or (coalesce(earned.caller, 0) > 0) is distinct from (transfers.cause_id is not null)
        or transfers.amount <> earned.caller or transfers.account_id <> orders.account_id
        or earned.account_id <> orders.account_id)`,
}

const commissionWithoutOrder: AuditCheck = {
  name: 'commission_without_order',
  pieces: 'ids',
  badRows: ({ within }) => sql`
    select count(*) as bad
    from (
      select order_id from order_commissions where ${within(sql`order_id`)}
      union all
      select cause_id from transfers where kind = 'commission' and ${within(sql`cause_id`)}
    ) as earned
    left join orders on orders.id = earned.order_id
    where orders.id is null`,
}

/**
 * Calculates the commission again from the terms stored in the order. It does not use the code that credited the
 * commission, so that a bug there is found here.
 */
const commissionDiffersFromItsTerms: AuditCheck = {
  name: 'commission_differs_from_its_terms',
  pieces: 'ids',
  badRows: ({ within }) => sql`
    select count(*) as bad
    from order_commissions as earned
    join orders on orders.id = earned.order_id
    where ${within(sql`earned.order_id`)}
      and (earned.base > orders.price
        or earned.caller <> earned.base * (orders.details -> 'commission' ->> 'shareBasisPoints')::bigint / 10000
        or (earned.source = 'rate'
          and earned.base <> orders.price * (orders.details -> 'commission' ->> 'rateBasisPoints')::bigint / 10000))`,
}

const commissionMoveWithoutItsTransfer: AuditCheck = {
  name: 'commission_move_without_its_transfer',
  pieces: 'ids',
  badRows: ({ within }) => sql`
    select count(*) as bad
    from (select * from commission_moves where ${within(sql`id`)}) as move
    full join (
      select * from transfers where ${within(sql`cause_id`)} and kind = 'commission_move'
    ) as transfer on transfer.cause_id = move.id
    where move.id is null or transfer.cause_id is null
      or move.amount <> transfer.amount or move.account_id <> transfer.account_id`,
}

/**
 * Each completed order with commission terms has one commission, of the amount that the terms give. No other order has one. Each
 * commission and each move of commission has its transfer.
 */
export const commissionAuditChecks: readonly AuditCheck[] = [
  commissionCountWrong,
  commissionWithoutOrder,
  commissionDiffersFromItsTerms,
  commissionMoveWithoutItsTransfer,
]
