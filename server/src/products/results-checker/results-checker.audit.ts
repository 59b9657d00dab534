import { sql } from 'kysely'
import { type AuditCheck, type IdRules, idRules } from '../../money/audit.ts'

const voucherCountDiffersFromStock: AuditCheck = {
  name: 'voucher_count_differs_from_stock',
  badRows: () => sql`
    select count(*) as bad
    from voucher_types
    where available_count <> (select count(*) from vouchers where vouchers.type_id = voucher_types.id and order_id is null)`,
}

/** A withdrawal of vouchers needs two people, and a withdrawn voucher is neither in stock nor sold. */
const voucherWithdrawnWithoutTwoPeople: AuditCheck = {
  name: 'voucher_withdrawn_without_two_people',
  badRows: () => sql`
    select count(*) as bad
    from withdrawn_vouchers as gone
    left join approvals as agreed on agreed.id = gone.approval_id and agreed.kind = 'vouchers withdraw'
      and agreed.state = 'done' and lower(agreed.decided_by) <> lower(agreed.proposed_by)
      and agreed.request ->> 'typeId' = gone.type_id::text
    where agreed.id is null or exists (select from vouchers where vouchers.id = gone.id)`,
}

const rules: IdRules = {
  voucher_sold_without_its_order: (within) => sql`
    from vouchers left join orders on orders.id = vouchers.order_id and ${within(sql`orders.id`)}
    where ${within(sql`vouchers.order_id`)}
      and (orders.id is null or orders.kind <> 'results_checker' or orders.details ->> 'typeId' <> vouchers.type_id::text)`,
  /** If a voucher were sold twice, the first order would have one too few. */
  order_quantity_differs_from_its_vouchers: (within) => sql`
    from orders
    left join lateral (select count(*) as sold from vouchers where vouchers.order_id = orders.id) as stock on true
    where ${within(sql`orders.id`)} and orders.kind = 'results_checker'
      and (orders.details ->> 'quantity')::bigint is distinct from stock.sold`,
  /**
   * Finds a sold voucher that is in the table a second time, under any type. Searches type by type, because the index of the
   * hashes begins with the type.
   */
  voucher_sold_twice: (within) => sql`
    from vouchers
    where ${within(sql`order_id`)}
      and exists (select from voucher_types join vouchers as other on other.type_id = voucher_types.id
        where other.pin_hash = vouchers.pin_hash and other.serial_number_hash = vouchers.serial_number_hash
          and other.id <> vouchers.id)`,
  voucher_order_price_differs_from_its_quantity: (within) => sql`
    from orders
    where ${within(sql`id`)} and kind = 'results_checker'
      and price is distinct from (details ->> 'quantity')::bigint * (details ->> 'unitPricePesewas')::bigint`,
}

/** Checks of vouchers against their stock and against the orders that bought them. */
export const resultsCheckerAuditChecks: readonly AuditCheck[] = [
  ...idRules(rules),
  voucherCountDiffersFromStock,
  voucherWithdrawnWithoutTwoPeople,
]
