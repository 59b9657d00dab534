import { type RawBuilder, sql } from 'kysely'

/** True while an alarm of this name is open, as a condition of SQL for timers that clear alarms. */
export function isAlarmOpen(name: string): RawBuilder<boolean> {
  return sql<boolean>`exists (select from alarms where name = ${name} and cleared_at is null)`
}
