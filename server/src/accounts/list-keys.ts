import type { Db, Tx } from '../platform/database/database.ts'
import type { KeyType, Role } from './caller.ts'

export type KeyStatus = 'pending' | 'active' | 'revoked'

/** A key as its owner and the operator see it: never the key itself. */
export type ListedKey = {
  readonly keyId: string
  readonly accountId: string
  readonly email: string
  readonly accountName: string
  readonly role: Role
  readonly type: KeyType
  readonly status: KeyStatus
  /** The text before the secret. */
  readonly prefix: string
  /** The last four characters of the key. */
  readonly hint: string
  /** An empty list means everywhere. */
  readonly addresses: readonly string[]
  readonly createdAt: Date
  /** The moment at which an active key ends because a new key replaces it. Null: it is not being replaced. */
  readonly endsAt: Date | null
  readonly revokedAt: Date | null
  readonly lastUsedAt: Date | null
  readonly lastUsedAddress: string | null
}

function selectKeys(db: Db | Tx) {
  return db
    .selectFrom('api_keys')
    .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
    .select([
      'api_keys.id as keyId',
      'api_keys.account_id as accountId',
      'accounts.email',
      'accounts.name as accountName',
      'accounts.role',
      'api_keys.type',
      'api_keys.status',
      'api_keys.prefix',
      'api_keys.hint',
      'api_keys.allowed_addresses as addresses',
      'api_keys.created_at as createdAt',
      'api_keys.ends_at as endsAt',
      'api_keys.revoked_at as revokedAt',
      'api_keys.last_used_at as lastUsedAt',
      'api_keys.last_used_ip as lastUsedAddress',
    ])
}

/** The keys of an account that are not revoked. Each type has at most two: one in use, and one that it replaces. */
export async function listLiveKeys(db: Db, accountId: string) {
  return selectKeys(db)
    .where('api_keys.account_id', '=', accountId)
    .where('api_keys.status', '<>', 'revoked')
    .$narrowType<{ status: Exclude<KeyStatus, 'revoked'> }>()
    .execute()
}

export function readKey(db: Db | Tx, keyId: string): Promise<ListedKey | undefined> {
  return selectKeys(db).where('api_keys.id', '=', keyId).executeTakeFirst()
}

export type KeyQuery = {
  readonly accountId?: string | undefined
  readonly status?: KeyStatus | undefined
  readonly type?: KeyType | undefined
  /** The id of the last row of the page before. */
  readonly after?: string | undefined
  /** Left out: all keys. */
  readonly limit?: number | undefined
}

/** Keys of one account or of all, newest first. Without `status`, revoked ones too. */
export async function listKeys(db: Db, query: KeyQuery = {}): Promise<ListedKey[]> {
  const { accountId, status, type, after, limit } = query
  let keys = selectKeys(db)
  if (accountId !== undefined) keys = keys.where('api_keys.account_id', '=', accountId)
  if (status !== undefined) keys = keys.where('api_keys.status', '=', status)
  if (type !== undefined) keys = keys.where('api_keys.type', '=', type)
  if (after !== undefined) keys = keys.where('api_keys.id', '<', after)
  if (limit !== undefined) keys = keys.limit(limit)
  return keys.orderBy('api_keys.id', 'desc').execute()
}
