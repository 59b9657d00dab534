import { sql } from 'kysely'
import type { Db } from '../database/database.ts'
import { listSettingReturns, type SettingReturn } from './setting-returns.ts'
import type { Setting } from './settings.ts'

/** A change of a setting in the operator's log. */
export type PastChange = {
  readonly at: Date
  readonly by: string
  /** True when a worker made it at the end of a temporary change. */
  readonly isByItself: boolean
  /** True when the return of a temporary change was cancelled. */
  readonly isKept: boolean
  readonly before: unknown
  readonly after: unknown
  readonly reason: string | null
}

export type PresentSetting = {
  readonly setting: Setting
  readonly value: unknown
  /** True when the operator has set no value. */
  readonly isDefault: boolean
  readonly lastChange: PastChange | undefined
  readonly returns: SettingReturn | undefined
}

type LogRow = { subject: string; at: Date; actor: string; action: string; details: Record<string, unknown> }

function changeOf({ at, actor, action, details }: LogRow): PastChange {
  const reason = details['reason']
  return {
    at,
    by: actor,
    isByItself: action === 'setting return',
    isKept: action === 'setting keep',
    before: details['before'] ?? null,
    after: details['after'] ?? null,
    reason: typeof reason === 'string' ? reason : null,
  }
}

/** Reads the newest log lines about each of these settings, at most `perName` for each. */
async function readChanges(db: Db, names: readonly string[], perName: number): Promise<LogRow[]> {
  const { rows } = await sql<LogRow>`
    select subject, line.at, line.actor, line.action, line.details
    from unnest(${names}::text[]) as subject cross join lateral (
      select id, at, actor, action, details from operator_log
      where operator_log.subject = subject.subject and action like 'setting %'
      order by id desc limit ${perName}
    ) as line
    order by line.id desc`.execute(db)
  return rows
}

export async function readSettingHistory(db: Db, name: string, limit: number): Promise<PastChange[]> {
  return (await readChanges(db, [name], limit)).map(changeOf)
}

export async function listSettings(db: Db, settings: readonly Setting[]): Promise<PresentSetting[]> {
  const rows = await db.selectFrom('settings').select(['name', 'value']).execute()
  const values = new Map(rows.map((row) => [row.name, row]))
  const changes = await readChanges(
    db,
    settings.map(({ name }) => name),
    1,
  )
  const lastOf = new Map(changes.map((row) => [row.subject, changeOf(row)]))
  const returns = new Map((await listSettingReturns(db)).map((each) => [each.name, each]))
  return settings.map((setting) => {
    const row = values.get(setting.name)
    return {
      setting,
      value: row ? row.value : setting.defaultValue,
      isDefault: !row,
      lastChange: lastOf.get(setting.name),
      returns: returns.get(setting.name),
    }
  })
}
