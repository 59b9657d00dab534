import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/new-id.ts'
import { countInDatabase } from '../../platform/http/limits/count-in-database.ts'
import { RefusalError } from '../../platform/http/refusals.ts'
import { findProblem, type Problem, problemRefusals } from './problem.ts'

const reportsPerHour = 10
const hourMilliseconds = 3_600_000

export type ReportedProblem = {
  readonly accountId: string
  readonly text: string
  readonly orderReference?: string | undefined
  readonly topUpReference?: string | undefined
  readonly requestId?: string | undefined
  readonly actor: string
}

/**
 * Makes the function that stores a problem for the staff to read. While a problem waits, a repeat of the same words about the
 * same order and top-up changes nothing and returns the first problem.
 *
 * @throws RefusalError 429 when the account has reported too many within an hour
 */
export function createProblemReporter(db: Db): (reported: ReportedProblem) => Promise<Problem> {
  const count = countInDatabase(db, hourMilliseconds)
  return async ({ accountId, text, orderReference = null, topUpReference = null, requestId = null, actor }) => {
    const { requests, remainingMilliseconds } = await count(`problems ${accountId}`)
    if (requests > reportsPerHour) {
      throw new RefusalError(problemRefusals.tooManyProblems(Math.max(1, Math.ceil(remainingMilliseconds / 1_000))))
    }
    const row = {
      id: newId(),
      account_id: accountId,
      text: text.trim(),
      order_reference: orderReference,
      top_up_reference: topUpReference,
      request_id: requestId,
      reported_by: actor,
    }
    const { id } = await db
      .insertInto('problems')
      .values(row)
      // The update changes nothing: it makes the statement return the problem that waits.
      .onConflict((conflict) =>
        conflict
          .expression(sql`account_id, md5(text), coalesce(order_reference, ''), coalesce(top_up_reference, '')`)
          .where(sql<boolean>`state = 'waiting'`)
          .doUpdateSet((stored) => ({ text: stored.ref('problems.text') })),
      )
      .returning('id')
      .executeTakeFirstOrThrow()
    const problem = await findProblem(db, id)
    if (!problem) throw new Error(`the problem ${id} was not stored`)
    return problem
  }
}
