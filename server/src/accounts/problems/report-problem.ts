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
    const stored = await db
      .insertInto('problems')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst()
    const id = stored?.id ?? (await findWaiting(db, row))
    const problem = id === undefined ? undefined : await findProblem(db, id)
    if (!problem) throw new Error(`the problem of account ${accountId} was not stored`)
    return problem
  }
}

type Repeat = {
  readonly account_id: string
  readonly text: string
  readonly order_reference: string | null
  readonly top_up_reference: string | null
}

async function findWaiting(db: Db, repeat: Repeat): Promise<string | undefined> {
  const found = await db
    .selectFrom('problems')
    .select('id')
    .where('account_id', '=', repeat.account_id)
    .where('text', '=', repeat.text)
    .where('order_reference', 'is not distinct from', repeat.order_reference)
    .where('top_up_reference', 'is not distinct from', repeat.top_up_reference)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return found?.id
}
