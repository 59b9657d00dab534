import { sql } from 'kysely'
import { defineNeed } from '../../platform/needs/need.ts'
import { lostFactorReset } from './lost-factor.settings.ts'

/** Reports of lost second factors for which the staff has made no proposal yet. */
export const lostFactorsNeed = defineNeed<{ name: string; email: string; account: string; accountId: string }>({
  name: 'lost-factors',
  waiting: () => sql`
    select lost.id::text as id, lost.asked_at as at,
      jsonb_build_object('name', person.name, 'email', person.email, 'account', account.name, 'accountId', account.id) as facts
    from lost_factors as lost
    join persons as person on person.id = lost.person_id
    join members as member on member.person_id = lost.person_id
    join accounts as account on account.id = member.account_id
    where not exists (
      select from approvals
      where kind = ${sql.lit(lostFactorReset)} and key = lost.person_id::text and state = 'pending' and expires_at > now())
    order by lost.asked_at, lost.id`,
  line: ({ facts: { name, email, account, accountId } }) => ({
    text: `${name} (${email}) of ${account} lost the phone and the back-up codes. Make sure who asks, then decide.`,
    path: `/accounts/${accountId}/all`,
  }),
})
