import { sql } from 'kysely'
import type { KeyType } from '../../accounts/caller.ts'
import { isResetProposed } from '../../people/lost-factor/lost-factors.ts'
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

export const pendingKeysNeed = defineNeed<{ type: KeyType; account: string; email: string }>({
  name: 'keys',
  waiting: () => sql`
    select key.id::text as id, key.created_at as at,
      jsonb_build_object('type', key.type, 'account', account.name, 'email', account.email) as facts
    from api_keys as key cross join lateral (select name, email from accounts where accounts.id = key.account_id limit 1) as account
    where key.status = 'pending' order by key.id`,
  line: ({ id, facts: { type, account } }) => ({ text: `${account} waits for its ${type} key.`, path: `/keys/${id}` }),
})

const shownMax = 80

/** Problems that resellers reported and nobody has answered or closed. */
export const waitingProblemsNeed = defineNeed<{ text: string; account: string }>({
  name: 'problems',
  waiting: () => sql`
    select problem.id::text as id, problem.reported_at as at,
      jsonb_build_object('text', left(problem.text, ${sql.lit(shownMax + 1)}), 'account', account.name) as facts
    from problems as problem
    cross join lateral (select name from accounts where accounts.id = problem.account_id limit 1) as account
    where problem.ended_at is null order by problem.reported_at, problem.id`,
  line: ({ id, facts: { text, account } }) => ({
    text: `${account}: ${text.length > shownMax ? `${text.slice(0, shownMax)}…` : text}`,
    path: `/problems/${id}`,
  }),
})

/** Reports of lost second factors for which no proposal of the staff waits. */
export const lostFactorsNeed = defineNeed<{ name: string; email: string; account: string; accountId: string }>({
  name: 'lost-factors',
  waiting: () => sql`
    select lost.id::text as id, lost.asked_at as at,
      jsonb_build_object('name', person.name, 'email', person.email, 'account', account.name, 'accountId', account.id) as facts
    from lost_factors as lost
    join persons as person on person.id = lost.person_id
    join members as member on member.person_id = lost.person_id
    join accounts as account on account.id = member.account_id
    where not ${isResetProposed}
    order by lost.asked_at, lost.id`,
  line: ({ facts: { name, email, account, accountId } }) => ({
    text: `${name} (${email}) of ${account} lost the phone and the back-up codes. Make sure who asks, then decide.`,
    path: `/accounts/${accountId}/all`,
  }),
})
