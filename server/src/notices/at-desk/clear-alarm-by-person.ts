import type { Tx } from '../../platform/database/database.ts'
import { appendOperatorLog } from '../../platform/operator-log/append-operator-log.ts'
import { clearAlarm } from '../clear-alarm.ts'

export type ClearedAlarm = {
  readonly name: string
  readonly subject: string
  readonly actor: string
  /** The person's note about the remedy. */
  readonly reason?: string | undefined
}

/**
 * Clears an alarm on a person's request. The next check raises it again if its cause remains.
 * @returns true when the alarm was open
 */
export async function clearAlarmByPerson(tx: Tx, { name, subject, actor, reason }: ClearedAlarm): Promise<boolean> {
  const open = await tx
    .selectFrom('alarms')
    .select(['message', 'raised_at'])
    .where('name', '=', name)
    .where('subject', '=', subject)
    .where('cleared_at', 'is', null)
    .executeTakeFirst()
  if (!open) return false
  await clearAlarm(tx, name, subject)
  const before = { stands_since: open.raised_at.toISOString(), message: open.message }
  const details = { ...(reason !== undefined && { reason }), before, after: 'cleared' }
  await appendOperatorLog(tx, { actor, action: 'alert clear', subject: `${name} ${subject}`, details })
  return true
}
