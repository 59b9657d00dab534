import { sql } from 'kysely'
import type { Db } from '../platform/database/database.ts'
import { newId } from '../platform/database/new-id.ts'
import { rowsOf } from '../platform/database/rows-of.ts'

/** A problem for a person. One alarm is open per name and subject, however often it is raised. */
export type Alarm = {
  readonly name: string
  readonly subject: string
  /** Readable name of the subject, where `subject` is an id. */
  readonly about?: string | undefined
  /** Shown at the desk too, so it names no command. */
  readonly message: string
  /** A sentence with the command that helps. It follows the message everywhere but at the desk. */
  readonly command?: string | undefined
}

/** The whole text of an alarm in the log, in mails and on the command line, as SQL. */
export const alarmText = sql<string>`concat_ws(' ', alarms.message, alarms.command)`

function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '')
}

/**
 * Raises alarms. For an alarm that is open already, it records that the cause was seen again, with the new message. Works
 * inside a transaction and outside of one.
 * @returns the alarms that were not open before; the caller logs them as errors after the commit
 */
export async function raiseAlarms(db: Db, alarms: readonly Alarm[]): Promise<Alarm[]> {
  if (alarms.length === 0) return []
  // One row per name and subject, in a fixed order, so that two processes which raise the same alarms never wait for each
  // other.
  const distinct = [...new Map(alarms.map((alarm) => [JSON.stringify([alarm.name, alarm.subject]), alarm])).entries()]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, alarm]) => alarm)
  const { rows } = await sql<Omit<Alarm, 'command' | 'about'> & { command: string | null; is_new: boolean }>`
    insert into alarms ${rowsOf(distinct, {
      id: ['uuid', () => newId()],
      name: ['text', (alarm) => storable(alarm.name)],
      subject: ['text', (alarm) => storable(alarm.subject)],
      about: ['text', ({ about }) => (about === undefined ? null : storable(about))],
      message: ['text', (alarm) => storable(alarm.message)],
      command: ['text', ({ command }) => (command === undefined ? null : storable(command))],
    }).forInsert()}
    on conflict (name, subject) where cleared_at is null
      do update set last_seen_at = clock_timestamp(), about = excluded.about, message = excluded.message, command = excluded.command
    returning name, subject, message, command, (xmax = 0) as is_new`.execute(db)
  return rows.flatMap(({ is_new, command, ...alarm }) => (is_new ? [{ ...alarm, ...(command !== null && { command }) }] : []))
}

type ErrorLog = { error(fields: object, message: string): void }

/** Writes new alarms to the log at error level. */
export function logAlarms(log: ErrorLog, alarms: readonly Alarm[]): void {
  for (const { name, subject, message, command } of alarms) {
    log.error({ alarm: name, subject }, command === undefined ? message : `${message} ${command}`)
  }
}

/** Raises one alarm and writes it to the log at error level when it is new. */
export async function raiseAlarm(db: Db, log: ErrorLog, alarm: Alarm): Promise<void> {
  logAlarms(log, await raiseAlarms(db, [alarm]))
}
