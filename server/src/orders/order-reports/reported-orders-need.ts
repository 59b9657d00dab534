import { sql } from 'kysely'
import { defineNeed } from '../../platform/needs/need.ts'

/** Orders that resellers reported as not arrived, until somebody answers. */
export const reportedOrdersNeed = defineNeed<{ reference: string; recipient: string; account: string | null }>({
  name: 'reports',
  waiting: () => sql`
    select report.order_id::text as id, report.reported_at as at, jsonb_build_object(
      'reference', reported.reference, 'recipient', reported.recipient, 'account', account.name) as facts
    from order_reports as report
    cross join lateral (select reference, recipient from orders where orders.id = report.order_id limit 1) as reported
    left join lateral (select name from accounts where accounts.id = report.account_id limit 1) as account on true
    where report.answered_at is null order by report.reported_at, report.order_id`,
  line: ({ id, facts: { reference, recipient, account } }) => ({
    text: `${account ?? 'A reseller'} says that ${reference} did not arrive at ${recipient}.`,
    path: `/reports-of-orders/${id}`,
  }),
})
