import type { Tx } from '../database/database.ts'
import { appendOperatorLog } from '../operator-log/append-operator-log.ts'
import { endSettingReturn, lockSettingReturn, SettingReturnError } from './setting-returns.ts'

/**
 * Cancels the return of a setting: it keeps its present value.
 *
 * @throws SettingReturnError when the setting waits for no return
 */
export async function cancelSettingReturn(
  tx: Tx,
  name: string,
  { actor, reason, looseningId }: { readonly actor: string; readonly reason?: string | undefined; readonly looseningId?: string },
): Promise<void> {
  const waiting = await lockSettingReturn(tx, name)
  if (!waiting) throw new SettingReturnError(`${name} does not switch back: it was changed for good, or it has switched back.`)
  await endSettingReturn(tx, waiting.id, 'kept', actor)
  const details = {
    before: `${JSON.stringify(waiting.value)} until ${waiting.returnsAt.toISOString()}`,
    after: `${JSON.stringify(waiting.value)} for good`,
    ...(reason !== undefined && { reason }),
    ...(looseningId !== undefined && { loosening_id: looseningId }),
  }
  await appendOperatorLog(tx, { actor, action: 'setting keep', subject: name, details })
}
