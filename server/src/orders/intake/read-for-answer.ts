import { classifyDatabaseError } from '../../platform/database/database-errors.ts'
import { RefusalError, refusals } from '../../platform/http/refusals.ts'

/**
 * Reads what an answer needs besides the orders that were just placed. Those orders are committed. If the database
 * fails now, the caller must not be told that this try charged nothing; a retry with the same reference finds the orders.
 * @throws RefusalError `outcome_unknown` when the database does not answer or is busy; any other error unchanged
 */
export async function readForAnswer<Result>(read: () => Promise<Result>): Promise<Result> {
  try {
    return await read()
  } catch (error) {
    const kind = classifyDatabaseError(error)
    throw kind === 'other' || kind === 'constraint' ? error : new RefusalError(refusals.outcomeUnknown)
  }
}
