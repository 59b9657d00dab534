import { sql } from 'kysely'
import { idRules, withoutItsTransfer } from '../money/audit.ts'

/**
 * Each completed order with commission terms has one commission, of the amount that the terms give. No other order has one.
 * Each commission that pays the account something, and each move of commission, has its transfer.
 */
export const commissionAuditChecks = idRules({
  commission_count_wrong: (within) => sql`
    from orders
    left join order_commissions as earned on earned.order_id = orders.id and ${within(sql`earned.order_id`)}
    left join transfers on transfers.cause_id = orders.id and transfers.kind = 'commission' and ${within(sql`transfers.cause_id`)}
    where ${within(sql`orders.id`)}
      and ((orders.status = 'completed' and orders.details ? 'commission') is distinct from (earned.order_id is not null)
        or (coalesce(earned.caller, 0) > 0) is distinct from (transfers.cause_id is not null)
        or transfers.amount <> earned.caller or transfers.account_id <> orders.account_id
        or earned.account_id <> orders.account_id)`,
  commission_without_order: (within) => sql`
    from (
      select order_id from order_commissions where ${within(sql`order_id`)}
      union all
      select cause_id from transfers where kind = 'commission' and ${within(sql`cause_id`)}
    ) as earned
    left join orders on orders.id = earned.order_id and ${within(sql`orders.id`)}
    where orders.id is null`,
  /**
   * Calculates the commission again from the terms stored in the order. It does not use the code that credited the
   * commission, so that a bug there is found here.
   */
  commission_differs_from_its_terms: (within) => sql`
    from order_commissions as earned
    join orders on orders.id = earned.order_id
    where ${within(sql`earned.order_id`)} and ${within(sql`orders.id`)}
      and (earned.base > orders.price
        or earned.caller <> earned.base * (orders.details -> 'commission' ->> 'shareBasisPoints')::bigint / 10000
        or (earned.source = 'rate'
          and earned.base <> orders.price * (orders.details -> 'commission' ->> 'rateBasisPoints')::bigint / 10000))`,
  commission_move_without_its_transfer: withoutItsTransfer('commission_moves', ['commission_move']),
})
