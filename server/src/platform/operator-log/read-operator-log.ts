import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../database/database.ts'

export type OperatorLogEntry = {
  readonly id: number
  readonly at: Date
  readonly actor: string
  /** The user of the operating system who typed the command. Null in lines that no command wrote, and in old lines. */
  readonly os_user: string | null
  readonly action: string
  readonly subject: string
  readonly details: Record<string, unknown>
}

export type OperatorLogQuery = {
  readonly from?: Date | undefined
  readonly to?: Date | undefined
  /** A name given with `--by`, an e-mail, or a user of the operating system. Capital letters make no difference. */
  readonly by?: string | undefined
  /** Only lines about one of these subjects. A line that names an account in its details counts as about that account. */
  readonly subjects?: readonly string[] | undefined
  /** Only lines of this action, such as `key revoke`. */
  readonly action?: string | undefined
  /** The id of a line; only older lines are read. */
  readonly before?: number | undefined
  readonly limit: number
}

type Condition = RawBuilder<unknown>

/**
 * The conditions under which a line is one person's: the actor is the name itself, the name with `cli:`, or the name
 * with `person:`; or the line has the name as its user.
 */
const byPerson = (name: string): Condition[] => [
  ...[name, `cli:${name}`, `person:${name}`].map((actor) => sql`lower(actor) = ${actor}`),
  sql`lower(os_user) = ${name}`,
]

const aboutSubject = (subject: string): Condition[] => [
  sql`lower(subject) = ${subject}`,
  sql`lower(details ->> 'account_id') = ${subject}`,
]

const anyOf = (conditions: readonly Condition[]): Condition => sql`(${sql.join(conditions, sql` or `)})`

/**
 * Reads the operator's log, newest first. The filter that is likely to find the fewest lines leads: each of its alternatives is
 * read in order through an index of its own, so that no filter sorts a million lines.
 */
export async function readOperatorLog(db: Db, query: OperatorLogQuery): Promise<OperatorLogEntry[]> {
  const { from, to, action, before, limit } = query
  const subjects = query.subjects?.flatMap((subject) => aboutSubject(subject.toLowerCase()))
  const by = query.by === undefined ? undefined : byPerson(query.by.toLowerCase())
  const ofAction = action === undefined ? undefined : [sql`action = ${action}`]
  const [leading = [sql`true`], ...others] = [subjects, by, ofAction].filter((filter) => filter !== undefined)
  const all = [
    ...others.map(anyOf),
    ...(from === undefined ? [] : [sql`at >= ${from}`]),
    ...(to === undefined ? [] : [sql`at < ${new Date(to.getTime() + 1)}`]),
    ...(before === undefined
      ? []
      : [sql`(at, id) < (select last.at, last.id from operator_log as last where last.id = ${before})`]),
  ]
  const branches = leading.map(
    (one) => sql`
      (select id from operator_log where ${sql.join([one, ...all], sql` and `)} order by at desc, id desc limit ${limit})`,
  )
  const { rows } = await sql<OperatorLogEntry>`
    select id, at, actor, os_user, action, subject, details
    from operator_log
    where id in (${sql.join(branches, sql` union `)})
    order by at desc, id desc
    limit ${limit}`.execute(db)
  return rows
}
