import { sql } from 'kysely'
import { defineNeed } from '../../platform/needs/need.ts'

export const businessRequestsNeed = defineNeed<{ name: string; account: string }>({
  name: 'business',
  waiting: () => sql`
    select request.id::text as id, request.asked_at as at,
      jsonb_build_object('name', request.name, 'account', account.name) as facts
    from business_requests as request cross join lateral (select name from accounts where accounts.id = request.account_id limit 1) as account
    where request.state = 'waiting' order by request.id`,
  line: ({ id, facts: { name, account } }) => ({
    text: `${account} asks to be approved as the business ${name}.`,
    path: `/business/${id}`,
  }),
})
