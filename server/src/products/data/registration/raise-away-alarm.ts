import type { Logger } from 'pino'
import { clearAlarm, clearUnseenAlarms } from '../../../notices/clear-alarm.ts'
import { raiseAlarm } from '../../../notices/raise-alarm.ts'
import type { Db } from '../../../platform/database/database.ts'
import type { ServerNo } from './registration-servers.ts'

export type AwayServer = {
  readonly server: ServerNo
  readonly supplierName: string
  readonly awayMilliseconds: number
  readonly evidence: string
}

const awayAlarm = 'registration_server_away'

/**
 * Time after which an alarm that was not raised again is cleared. Every failed probe raises it again, and probes come much
 * more often.
 */
const unseenSecondsMax = 180

/** Raises the alarm about a server that has been away for long, or records in the open alarm that it still is. */
export async function raiseAwayAlarm(db: Db, log: Pick<Logger, 'error'>, away: AwayServer): Promise<void> {
  const minutes = Math.max(1, Math.round(away.awayMilliseconds / 60_000))
  const message =
    `Registration server ${away.server} (${away.supplierName}) has been out of reach for ${minutes} ` +
    `minute${minutes === 1 ? '' : 's'}: ${away.evidence}. MTN numbers that no other server calls registered are sold to unchecked.`
  await raiseAlarm(db, log, { name: awayAlarm, subject: String(away.server), message })
}

/** Clears the alarm of a server that is back. If another process still cannot reach the server, it raises the alarm again. */
export async function clearAwayAlarm(db: Db, server: ServerNo): Promise<void> {
  await clearAlarm(db, awayAlarm, String(server))
}

/** Clears the alarms that no process raises again, for example after a restart. */
export async function clearForgottenAwayAlarms(db: Db): Promise<void> {
  await clearUnseenAlarms(db, awayAlarm, unseenSecondsMax)
}

/** Reads when the open alarms about servers were raised, by server number. */
export async function readAwayServers(db: Db): Promise<ReadonlyMap<string, Date>> {
  const rows = await db
    .selectFrom('alarms')
    .select(['subject', 'raised_at'])
    .where('name', '=', awayAlarm)
    .where('cleared_at', 'is', null)
    .execute()
  return new Map(rows.map(({ subject, raised_at }) => [subject, raised_at]))
}
