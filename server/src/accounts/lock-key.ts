import type { Tx } from '../platform/database/database.ts'
import { isId } from '../platform/database/read-id.ts'
import { AccountError } from './account.ts'
import type { KeyType } from './caller.ts'

export type LockedKey = {
  readonly id: string
  readonly accountId: string
  readonly type: KeyType
  readonly hint: string
  readonly status: 'pending' | 'active' | 'revoked'
  /** An empty list means everywhere. */
  readonly addresses: readonly string[]
  /** Null: no other key replaces it. */
  readonly endsAt: Date | null
}

/** @throws AccountError when there is no such key */
export async function lockKey(tx: Tx, keyId: string): Promise<LockedKey> {
  const key = isId(keyId)
    ? await tx
        .selectFrom('api_keys')
        .select([
          'id',
          'account_id as accountId',
          'type',
          'hint',
          'status',
          'allowed_addresses as addresses',
          'ends_at as endsAt',
        ])
        .where('id', '=', keyId)
        .forUpdate()
        .executeTakeFirst()
    : undefined
  if (!key) {
    const command = "`makola key list --account …` shows the ids of an account's keys."
    throw new AccountError(`There is no key ${keyId}.`, { command })
  }
  return key
}
