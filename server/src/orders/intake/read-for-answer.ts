import { classifyDatabaseError } from '../../platform/database/database-errors.ts'
import { RefusalError, refusals } from '../../platform/http/refusals.ts'

/**
 * What an answer needs beside the orders that were just placed. They are committed, so when the database goes
 * away now the caller must not read that nothing was charged: the same reference finds them.
 *
 * @throws RefusalError `outcome_unknown` when the database is away or busy; anything else as it is
 */
export async function readForAnswer<Result>(read: () => Promise<Result>): Promise<Result> {
  try {
    return await read()
  } catch (error) {
    const kind = classifyDatabaseError(error)
    throw kind === 'other' || kind === 'constraint' ? error : new RefusalError(refusals.outcomeUnknown)
  }
}
