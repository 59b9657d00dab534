import { sql } from 'kysely'
import { defineNeed } from '../../platform/needs/need.ts'
import type { KeyType } from '../caller.ts'

export const pendingKeysNeed = defineNeed<{ type: KeyType; account: string; email: string }>({
  name: 'keys',
  waiting: () => sql`
    select key.id::text as id, key.created_at as at,
      jsonb_build_object('type', key.type, 'account', account.name, 'email', account.email) as facts
    from api_keys as key cross join lateral (select name, email from accounts where accounts.id = key.account_id limit 1) as account
    where key.status = 'pending' order by key.id`,
  line: ({ id, facts: { type, account } }) => ({ text: `${account} waits for its ${type} key.`, path: `/keys/${id}` }),
})
