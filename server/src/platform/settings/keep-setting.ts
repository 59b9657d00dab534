import type { Db } from '../database/database.ts'
import { inTransaction } from '../database/in-transaction.ts'
import { appendOperatorLog } from '../operator-log/append-operator-log.ts'
import { endSettingReturn, lockSettingReturn, SettingReturnError } from './setting-returns.ts'

/**
 * Cancels the return of a setting: it keeps the value that it was given for a time.
 *
 * @throws SettingReturnError when nothing returns it
 */
export async function keepSetting(
  db: Db,
  name: string,
  { actor, reason }: { readonly actor: string; readonly reason?: string | undefined },
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const waiting = await lockSettingReturn(tx, name)
    if (!waiting) throw new SettingReturnError(`${name} does not switch back: it was changed for good, or it has switched back.`)
    await endSettingReturn(tx, waiting.id, 'kept', actor)
    const details = {
      before: `${JSON.stringify(waiting.value)} until ${waiting.returnsAt.toISOString()}`,
      after: `${JSON.stringify(waiting.value)} for good`,
      ...(reason !== undefined && { reason }),
    }
    await appendOperatorLog(tx, { actor, action: 'setting keep', subject: name, details })
  })
}
