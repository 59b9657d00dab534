import type { Db } from '../platform/database/database.ts'
import type { KeyType } from './caller.ts'

export type KeyStatus = 'pending' | 'active' | 'revoked'

/** A key as its owner and the operator see it: never the key itself. */
export type ListedKey = {
  readonly keyId: string
  readonly accountId: string
  /** The account's. */
  readonly email: string
  readonly type: KeyType
  readonly status: KeyStatus
  /** What stands before the secret; null in keys from before it was kept. */
  readonly prefix: string | null
  /** The last four characters of the key. */
  readonly hint: string
  /** From where it may be used; none: from everywhere. */
  readonly addresses: readonly string[]
  readonly createdAt: Date
  readonly revokedAt: Date | null
  readonly lastUsedAt: Date | null
  readonly lastUsedIp: string | null
}

function selectKeys(db: Db) {
  return db
    .selectFrom('api_keys')
    .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
    .select([
      'api_keys.id as keyId',
      'api_keys.account_id as accountId',
      'accounts.email',
      'api_keys.type',
      'api_keys.status',
      'api_keys.prefix',
      'api_keys.hint',
      'api_keys.allowed_addresses as addresses',
      'api_keys.created_at as createdAt',
      'api_keys.revoked_at as revokedAt',
      'api_keys.last_used_at as lastUsedAt',
      'api_keys.last_used_ip as lastUsedIp',
    ])
}

/** The keys of an account that are not revoked: one of each type at most. */
export async function listLiveKeys(db: Db, accountId: string): Promise<ListedKey[]> {
  return selectKeys(db).where('api_keys.account_id', '=', accountId).where('api_keys.status', '<>', 'revoked').execute()
}

/** Keys of one account or of all, newest first, revoked ones included unless a status is asked for. */
export async function listKeys(
  db: Db,
  query: { readonly accountId?: string; readonly status?: KeyStatus } = {},
): Promise<ListedKey[]> {
  let keys = selectKeys(db)
  if (query.accountId !== undefined) keys = keys.where('api_keys.account_id', '=', query.accountId)
  if (query.status !== undefined) keys = keys.where('api_keys.status', '=', query.status)
  return keys.orderBy('api_keys.id', 'desc').execute()
}
