import { setTimeout as sleep } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import type { Logger } from 'pino'
import type { Db } from '../database/database.ts'

/** Answers whether a condition of SQL holds now. When in doubt: true. */
export type AskDue = (condition: RawBuilder<unknown>) => Promise<boolean>

/** Conditions that are asked within this time of each other are read together. */
const joinMilliseconds = 5

/** After this time each loop looks for itself: one locked table must not hold up the looks at all others. */
const patienceMilliseconds = 1_000

/**
 * Opens a function that reads conditions of SQL. Conditions of about the same moment are read in one statement, because for
 * a resting process each statement costs more than its condition. If they cannot be read, or not soon, all of them count as
 * true.
 */
export function sharePolls(db: Db, log: Pick<Logger, 'warn'>): AskDue {
  let asked: RawBuilder<unknown>[] = []
  let answers: Promise<readonly boolean[]> | undefined
  let isReading = false

  async function read(conditions: readonly RawBuilder<unknown>[]): Promise<readonly boolean[]> {
    isReading = true
    try {
      const list = sql.join(conditions.map((condition) => sql`(${condition})`))
      const { rows } = await sql<{ due: boolean[] }>`select array[${list}] as due`.execute(db)
      return rows[0]?.due ?? []
    } catch (error) {
      log.warn({ err: error }, 'what is due could not be read; all of it is tried')
      return []
    } finally {
      isReading = false
    }
  }

  async function readTogether(): Promise<readonly boolean[]> {
    await sleep(joinMilliseconds)
    const conditions = asked
    asked = []
    answers = undefined
    // While a read is late, no second one begins: it would wait for the same lock on another connection.
    return isReading ? [] : Promise.race([read(conditions), sleep(patienceMilliseconds, [], { ref: false })])
  }

  return async (condition) => {
    const place = asked.push(condition) - 1
    answers ??= readTogether()
    return (await answers)[place] ?? true
  }
}
