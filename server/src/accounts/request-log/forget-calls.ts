import { sql } from 'kysely'
import { type Forgetting, rowsPerStep } from '../../platform/forgetting/forget-old-data.ts'
import { requestLogDays } from './request-log.settings.ts'

/** Calls from before this moment are not shown, and are deleted within minutes. */
export const callsAreKeptFrom = sql`clock_timestamp() - make_interval(days => coalesce(
  (select (value #>> '{}')::integer from settings where name = ${sql.lit(requestLogDays.name)}),
  ${sql.lit(requestLogDays.defaultValue)}))`

/** Deletes the calls that are older than `request_log_days`. */
export const forgettingOfCalls: Forgetting = {
  name: 'request log',
  async step(tx) {
    const { numAffectedRows = 0n } = await sql`
      delete from request_log where ctid = any (array(
        select ctid from request_log where called_at < ${callsAreKeptFrom} limit ${rowsPerStep}))`.execute(tx)
    return { count: Number(numAffectedRows), isMore: numAffectedRows === BigInt(rowsPerStep) }
  },
}
