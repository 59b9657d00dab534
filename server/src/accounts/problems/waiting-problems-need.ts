import { sql } from 'kysely'
import { defineNeed } from '../../platform/needs/need.ts'

const shownMax = 80

/** The problems that resellers reported, until somebody answers or closes them. */
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
