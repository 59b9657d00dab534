import { clearAlarm } from '../../../notices/clear-alarm.ts'
import { type Alarm, raiseAlarms } from '../../../notices/raise-alarm.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { showMoment } from '../../../platform/texts-for-people.ts'

/** Raised while a set of prices is held. Its subject is the set. */
const scheduledPricesHeldAlarm = 'scheduled_prices_held'

export const nameOfSet = (set: { readonly made_by: string; readonly effective_at: Date }): string =>
  `prices of ${set.made_by} for ${showMoment(set.effective_at)}`

/** Raises the alarm that the prices of a due set are not in force. */
export function raiseHeldAlarm(
  tx: Tx,
  set: { readonly id: string; readonly made_by: string; readonly effective_at: Date },
  because: string,
): Promise<Alarm[]> {
  const message = `Prices that ${set.made_by} scheduled for ${showMoment(set.effective_at)} are not in force: ${because}.`
  const command =
    'Carry them out all the same, change them or cancel them, at the desk under Packages or with `makola packages schedule list`.'
  return raiseAlarms(tx, [{ name: scheduledPricesHeldAlarm, subject: set.id, about: nameOfSet(set), message, command }])
}

export function clearHeldAlarm(tx: Tx, setId: string): Promise<void> {
  return clearAlarm(tx, scheduledPricesHeldAlarm, setId)
}
