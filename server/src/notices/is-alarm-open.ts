import { type RawBuilder, sql } from 'kysely'

/** Whether an alarm of this name is open, as a condition of SQL: a timer that clears alarms has something to do then. */
export function isAlarmOpen(name: string): RawBuilder<boolean> {
  return sql<boolean>`exists (select from alarms where name = ${name} and cleared_at is null)`
}
