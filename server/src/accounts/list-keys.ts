import type { Db } from '../platform/database/database.ts'
import type { KeyType } from './caller.ts'

/** A key as its owner and the operator see it: never the key itself. */
export type ListedKey = {
  readonly keyId: string
  readonly type: KeyType
  readonly status: 'pending' | 'active' | 'revoked'
  /** Its last four characters. */
  readonly hint: string
  readonly createdAt: Date
  readonly revokedAt: Date | null
  readonly lastUsedAt: Date | null
  readonly lastUsedIp: string | null
}

/** All keys an account ever had, newest first. */
export async function listKeys(db: Db, accountId: string): Promise<ListedKey[]> {
  return db
    .selectFrom('api_keys')
    .select([
      'id as keyId',
      'type',
      'status',
      'hint',
      'created_at as createdAt',
      'revoked_at as revokedAt',
      'last_used_at as lastUsedAt',
      'last_used_ip as lastUsedIp',
    ])
    .where('account_id', '=', accountId)
    .orderBy('id', 'desc')
    .execute()
}
