import { sql } from 'kysely'
import { formatGhs, pesewas } from '../../money/pesewas.ts'
import { defineNeed } from '../../platform/needs/need.ts'

type Facts = { reference: string; recipient: string; account: string | null; price: number }

/** Orders that failed while automatic refunds were off, until a person refunds them. */
export const unrefundedOrdersNeed = defineNeed<Facts>({
  name: 'refunds',
  waiting: () => sql`
    select failed.order_id::text as id, failed.failed_at as at, jsonb_build_object('reference', failing.reference,
      'recipient', failing.recipient, 'account', account.name, 'price', failing.price) as facts
    from unrefunded_orders as failed
    cross join lateral (select * from orders where orders.id = failed.order_id limit 1) as failing
    left join lateral (select name from accounts where accounts.id = failing.account_id limit 1) as account on true
    order by failed.failed_at, failed.order_id`,
  line: ({ id, facts: { reference, recipient, account, price } }) => ({
    text: `${reference} of ${account ?? 'a reseller'} to ${recipient} failed: ${formatGhs(pesewas(price))} has not gone back.`,
    path: `/orders/${id}`,
  }),
})
