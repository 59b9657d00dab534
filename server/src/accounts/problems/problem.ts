import { type Selectable, sql } from 'kysely'
import type { Db, Tables } from '../../platform/database/database.ts'
import { type Refusal, type Refusals, refuse } from '../../platform/http/refusals.ts'

export const problemStates = ['waiting', 'answered', 'closed'] as const

type Row = Selectable<Tables['problems']>

/** A problem that a member of an account reported, with the answer where there is one. */
export type Problem = {
  readonly problemId: string
  readonly accountId: string
  readonly accountName: string
  readonly email: string
  readonly text: string
  readonly orderReference: string | null
  readonly topUpReference: string | null
  readonly requestId: string | null
  readonly reportedBy: string
  readonly reportedAt: Date
  readonly state: Row['state']
  readonly answer: string | null
  readonly endedBy: string | null
  readonly endedAt: Date | null
}

const columns = sql`
  problems.id as "problemId", problems.account_id as "accountId", accounts.name as "accountName", accounts.email, problems.text,
  problems.order_reference as "orderReference", problems.top_up_reference as "topUpReference",
  problems.request_id as "requestId", problems.reported_by as "reportedBy", problems.reported_at as "reportedAt", problems.state,
  problems.answer, problems.ended_by as "endedBy", problems.ended_at as "endedAt"`

const joined = sql`problems join accounts on accounts.id = problems.account_id`

export async function findProblem(db: Db, problemId: string): Promise<Problem | undefined> {
  const { rows } = await sql<Problem>`select ${columns} from ${joined} where problems.id = ${problemId}`.execute(db)
  return rows[0]
}

export type ProblemQuery = {
  readonly isEnded?: boolean | undefined
  /** The id of the last problem of the page before. */
  readonly after?: string | undefined
  readonly limit: number
}

/** Lists the waiting problems, oldest first, or the ended ones, the most recently ended first. */
export async function listProblems(db: Db, { isEnded = false, after, limit }: ProblemQuery): Promise<Problem[]> {
  const place = isEnded ? sql`problems.ended_at` : sql`problems.reported_at`
  const [direction, isBehind] = isEnded ? [sql`desc`, sql`<`] : [sql`asc`, sql`>`]
  const last = sql`select ${place}, problems.id from problems where problems.id = ${after ?? null}::uuid`
  const { rows } = await sql<Problem>`
    select ${columns} from ${joined}
    where problems.ended_at is ${isEnded ? sql`not null` : sql`null`}
      and (${after ?? null}::uuid is null or (${place}, problems.id) ${isBehind} (${last}))
    order by ${place} ${direction}, problems.id ${direction} limit ${limit}`.execute(db)
  return rows
}

export async function listProblemsOfAccount(db: Db, accountId: string, limit: number): Promise<Problem[]> {
  const { rows } = await sql<Problem>`
    select ${columns} from ${joined} where problems.account_id = ${accountId} order by problems.id desc limit ${limit}`.execute(
    db,
  )
  return rows
}

export const problemRefusals = {
  problemNotFound: refuse(404, 'problem_not_found', 'There is no such problem.'),
  problemEnded: refuse(409, 'problem_ended', 'This problem was answered or closed already.'),
  tooManyProblems: (retryAfterSeconds: number): Refusal => ({
    ...refuse(
      429,
      'too_many_problems',
      'Your account has reported many problems within an hour. We read them; call us if you cannot wait.',
    ),
    retryAfterSeconds,
  }),
} as const satisfies Refusals
