import { type Selectable, sql } from 'kysely'
import type { Db, Tables } from '../../platform/database/database.ts'
import { alarmText } from '../raise-alarm.ts'

/** An open or a cleared alarm. `text` is the message with the command that helps. */
export type ListedAlarm = Omit<Selectable<Tables['alarms']>, 'command' | 'about'> & {
  readonly about: string
  readonly text: string
}

export type AlarmQuery = {
  /** True: only open alarms. False: only cleared ones. */
  readonly isOpen: boolean
  /** The id of the last row of the page before. */
  readonly after?: string | undefined
  readonly limit: number
}

/** Lists alarms by the time at which they were raised: open ones oldest first, past ones newest first. */
export async function listAlarms(db: Db, { isOpen, after, limit }: AlarmQuery): Promise<readonly ListedAlarm[]> {
  const last = sql`(select last.raised_at, last.id from alarms as last where last.id = ${after ?? null}::uuid)`
  const { rows } = await sql<ListedAlarm>`
    select id, name, subject, coalesce(about, subject) as about, message, ${alarmText} as text, raised_at, last_seen_at, cleared_at from alarms
    where cleared_at ${isOpen ? sql`is null` : sql`is not null`}
      and ${after === undefined ? sql`true` : isOpen ? sql`(raised_at, id) > ${last}` : sql`(raised_at, id) < ${last}`}
    order by ${isOpen ? sql`raised_at, id` : sql`raised_at desc, id desc`} limit ${limit}`.execute(db)
  return rows
}
