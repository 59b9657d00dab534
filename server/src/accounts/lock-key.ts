import type { Tx } from '../platform/database/database.ts'
import { AccountError } from './account-error.ts'
import { isId } from './find-account.ts'

/** Locks a key's row and reads its state. @throws AccountError when there is no such key */
export async function lockKey(tx: Tx, keyId: string): Promise<{ id: string; status: 'pending' | 'active' | 'revoked' }> {
  const key = isId(keyId)
    ? await tx.selectFrom('api_keys').select(['id', 'status']).where('id', '=', keyId).forUpdate().executeTakeFirst()
    : undefined
  if (!key) throw new AccountError(`There is no key ${keyId}. \`key list --account …\` shows the ids of an account's keys.`)
  return key
}
