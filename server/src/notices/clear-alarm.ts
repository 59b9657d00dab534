import { sql } from 'kysely'
import type { Db } from '../platform/database/database.ts'
import { rowsOf } from '../platform/database/rows-of.ts'

/**
 * Clears the open alarms of a name, except for the subjects that still have a cause.
 *
 * @param among the checked subjects, when not all were checked: only these are cleared
 * @returns the subjects that were cleared now
 */
export async function clearAlarms(
  db: Db,
  name: string,
  stillRaised: readonly string[] = [],
  among?: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ subject: string }>`
    update alarms set cleared_at = clock_timestamp()
    where name = ${name} and cleared_at is null and subject <> all(${stillRaised}::text[])
      and (${among === undefined} or subject = any(${among ?? []}::text[]))
    returning subject`.execute(db)
  return rows.map((row) => row.subject)
}

export async function clearAlarm(db: Db, name: string, subject: string): Promise<void> {
  await sql`
    update alarms set cleared_at = clock_timestamp()
    where name = ${name} and subject = ${subject} and cleared_at is null`.execute(db)
}

export async function clearEachAlarm(
  db: Db,
  alarms: readonly { readonly name: string; readonly subject: string }[],
): Promise<void> {
  if (alarms.length === 0) return
  await sql`
    update alarms set cleared_at = clock_timestamp()
    where cleared_at is null and ${rowsOf(alarms, {
      name: ['text', ({ name }) => name],
      subject: ['text', ({ subject }) => subject],
    }).matching('alarms')}`.execute(db)
}

/**
 * Clears the open alarms of a name whose cause was not seen for `unseenSeconds`, because the process that raised them may have
 * ended.
 */
export async function clearUnseenAlarms(db: Db, name: string, unseenSeconds: number): Promise<void> {
  await sql`
    update alarms set cleared_at = clock_timestamp()
    where name = ${name} and cleared_at is null
      and last_seen_at < clock_timestamp() - make_interval(secs => ${unseenSeconds})`.execute(db)
}
