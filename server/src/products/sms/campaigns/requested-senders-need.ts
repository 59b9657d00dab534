import { sql } from 'kysely'
import { defineNeed } from '../../../platform/needs/need.ts'

export const requestedSendersNeed = defineNeed<{ sender: string; account: string | null }>({
  name: 'senders',
  waiting: () => sql`
    select sender.id::text as id, sender.requested_at as at,
      jsonb_build_object('sender', sender.sender, 'account', account.name) as facts
    from sms_senders as sender
    left join lateral (select name from accounts where accounts.id = sender.account_id limit 1) as account on true
    where sender.status = 'requested' order by sender.requested_at, sender.id`,
  line: ({ id, facts: { sender, account } }) => ({
    text: `${account ?? 'An account'} wishes to send as ${sender}.`,
    path: `/senders/${id}`,
  }),
})
