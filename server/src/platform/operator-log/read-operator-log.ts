import { sql } from 'kysely'
import type { Db } from '../database/database.ts'

/** One line of the operator's log. */
export type OperatorLogEntry = {
  readonly id: number
  readonly at: Date
  readonly actor: string
  /** The user of the operating system; null in lines from before it was kept, and of programs. */
  readonly os_user: string | null
  readonly action: string
  readonly subject: string
  readonly details: Record<string, unknown>
}

export type OperatorLogQuery = {
  readonly from?: Date
  readonly to?: Date
  /** A name given with `--by`, or a user of the operating system. Capital letters make no difference. */
  readonly by?: string
  /** Only lines about one of these subjects. A line that names an account in its details counts as about that account. */
  readonly subjects?: readonly string[]
  /** Only lines older than this one. */
  readonly before?: number
  readonly limit: number
}

/** Reads the operator's log, newest first. */
export async function readOperatorLog(db: Db, query: OperatorLogQuery): Promise<OperatorLogEntry[]> {
  const { from = null, to = null, before = null, limit } = query
  const by = query.by?.toLowerCase() ?? null
  const subjects = query.subjects?.map((subject) => subject.toLowerCase()) ?? null
  const { rows } = await sql<OperatorLogEntry>`
    select id, at, actor, os_user, action, subject, details
    from operator_log
    where (${from}::timestamptz is null or at >= ${from}) and (${to}::timestamptz is null or at <= ${to})
      and (${before}::bigint is null or id < ${before})
      and (${by}::text is null or lower(actor) in (${by}, 'cli:' || ${by}) or lower(os_user) = ${by})
      and (${subjects}::text[] is null or lower(subject) = any(${subjects}) or lower(details ->> 'account_id') = any(${subjects}))
    order by id desc
    limit ${limit}`.execute(db)
  return rows
}
