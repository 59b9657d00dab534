import { sql } from 'kysely'
import type { Db, Tx } from '../database/database.ts'
import { raiseEpoch } from '../database/epoch.ts'
import { inTransaction } from '../database/in-transaction.ts'
import { appendOperatorLog } from '../operator-log/append-operator-log.ts'
import { OperatorRequestError } from '../operator-request-error.ts'
import { endSettingReturn, lockSettingReturn, SettingReturnError } from './setting-returns.ts'
import { putSetting, type Setting } from './settings.ts'

/** The actor of a return in the operator's log. */
const itself = 'worker'

/** Seconds between two tries of a refused return. */
const retrySeconds = 15

export const isSettingReturnDue = sql`exists (select from setting_returns where ended_at is null and returns_at <= now())`

/** True while a return waits whose last try was refused. */
export const isSettingReturnRefused = sql<boolean>`
  exists (select from setting_returns where ended_at is null and refused_because is not null)`

type Due = { readonly id: string; readonly name: string }

async function listDue(db: Db): Promise<Due[]> {
  const { rows } = await sql<Due>`
    select id, name from setting_returns
    where ended_at is null and returns_at <= clock_timestamp()
      and (tried_at is null or tried_at < clock_timestamp() - make_interval(secs => ${retrySeconds}))
    order by returns_at`.execute(db)
  return rows
}

async function isStill(tx: Tx, name: string, value: unknown): Promise<boolean> {
  const { rows } = await sql`select from settings where name = ${name} and value = ${JSON.stringify(value)}::jsonb`.execute(tx)
  return rows.length > 0
}

async function returnOne(tx: Tx, { id, name }: Due, setting: Setting | undefined): Promise<void> {
  // The epoch is raised first, as for every change of a setting. Its single row lets one worker at a time pass, and the
  // next worker finds that the return has ended.
  await raiseEpoch(tx)
  const due = await lockSettingReturn(tx, name)
  if (due?.id !== id) return
  if (!(await isStill(tx, name, due.value))) return endSettingReturn(tx, id, 'replaced', itself)
  if (!setting) throw new SettingReturnError(`This version knows no setting ${name}.`)
  await putSetting(tx, setting, due.isToDefault ? undefined : { value: due.returnsTo }, itself)
  await endSettingReturn(tx, id, 'returned', itself)
  const details = {
    before: due.value,
    after: due.isToDefault ? setting.defaultValue : due.returnsTo,
    reason: 'Returned by itself.',
    changed_by: due.madeBy,
    changed_at: due.madeAt.toISOString(),
  }
  await appendOperatorLog(tx, { actor: itself, action: 'setting return', subject: name, details })
}

/** @returns true when the return has ended; false when it was refused, and the reason was stored */
async function tryReturn(db: Db, due: Due, setting: Setting | undefined): Promise<boolean> {
  try {
    await inTransaction(db, (tx) => returnOne(tx, due, setting))
    return true
  } catch (error) {
    if (!(error instanceof OperatorRequestError)) throw error
    await sql`
      update setting_returns set refused_because = ${error.message}, tried_at = clock_timestamp()
      where id = ${due.id} and ended_at is null`.execute(db)
    return false
  }
}

/**
 * Returns the settings whose time has come to their earlier values, each exactly once, however many workers do this at once. A
 * refused return is tried again until it succeeds, or somebody changes the setting or cancels its return.
 */
export async function returnDueSettings(db: Db, known: readonly Setting[]): Promise<void> {
  let due = await listDue(db)
  while (due.length > 0) {
    const refused: Due[] = []
    for (const each of due) {
      const setting = known.find(({ name }) => name === each.name)
      if (!(await tryReturn(db, each, setting))) refused.push(each)
    }
    // When two bounds return together, the first may be refused until the second has returned. So those refused are tried
    // again.
    if (refused.length === due.length) return
    due = refused
  }
}
