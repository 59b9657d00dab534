import { clearAlarm } from '../../notices/clear-alarm.ts'
import { announceIncident, endIncident } from '../../notices/incidents/announce-incident.ts'
import { logAlarms, raiseAlarms } from '../../notices/raise-alarm.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import type { Gap } from '../../platform/history/gaps.ts'

const actor = 'makola history'

const incidentMessage =
  'Nothing can be bought at the moment: our database was restored, and we are looking through what it may lack. Orders that you have placed are not sent twice.'

/** Raises the alarm about a gap and announces an incident to the resellers, once for each gap. */
export async function raiseHistoryAlarm(
  db: Db,
  log: Parameters<typeof logAlarms>[0],
  { id, noticedBy, reason }: Gap,
): Promise<void> {
  const message = `The history of the database went back, or a backup was restored. Nothing is sold and nothing is sent until two people have looked. Noticed by ${noticedBy}: ${reason}.`
  const command = 'See `makola history show`, then `makola history accept`.'
  const raised = await inTransaction(db, async (tx) => {
    const alarms = await raiseAlarms(tx, [{ name: 'history_went_back', subject: id, message, command }])
    if (alarms.length > 0) await announceIncident(tx, { level: 'outage', message: incidentMessage, actor })
    return alarms
  })
  logAlarms(log, raised)
}

/** Clears the alarm, and ends the incident that was announced to the resellers. */
export async function clearHistoryAlarm(tx: Tx, { id }: Pick<Gap, 'id'>): Promise<void> {
  await clearAlarm(tx, 'history_went_back', id)
  const open = await tx
    .selectFrom('incidents')
    .select('id')
    .where('announced_by', '=', actor)
    .where('ended_at', 'is', null)
    .execute()
  for (const { id: incidentId } of open) await endIncident(tx, { incidentId, actor })
}
