import type { Db } from '../platform/database/database.ts'
import { type Epoch, shareYoungLoads } from '../platform/database/epoch.ts'
import type { Caller } from './caller.ts'
import { openAddressCheck } from './developer/address-ranges.ts'

/** An existing key in any state, with its account. */
export type KnownKey = {
  readonly caller: Caller
  readonly keyStatus: 'pending' | 'active' | 'revoked'
  /** From this moment of the database's clock the key counts as revoked. */
  readonly endsAt: Date | null
  readonly accountStatus: 'active' | 'suspended'
  /** Undefined: the key may be used from everywhere. */
  readonly isAllowedFrom: ((address: string) => boolean) | undefined
}

/**
 * The keys of all accounts, by digest. They are remembered until the epoch moves, as it does when a key or an account
 * changes.
 */
export type KnownKeys = {
  /** The key if it is in memory under a trusted epoch. */
  peek(digest: string): KnownKey | undefined
  /** The key from memory or the database; undefined when no account has it. */
  find(digest: string): Promise<KnownKey | undefined>
}

/** The oldest unknown key is forgotten first. Unknown keys never displace keys that exist. */
const unknownDigestsMax = 10_000

async function loadKey(db: Db, digest: string): Promise<KnownKey | undefined> {
  const row = await db
    .selectFrom('api_keys')
    .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
    .select([
      'api_keys.id as keyId',
      'api_keys.type as keyType',
      'api_keys.status as keyStatus',
      'api_keys.ends_at as endsAt',
      'api_keys.allowed_addresses as allowedAddresses',
      'accounts.id as accountId',
      'accounts.status as accountStatus',
      'accounts.role as role',
      'accounts.role_expires_at as roleExpiresAt',
    ])
    .where('api_keys.digest', '=', Buffer.from(digest, 'hex'))
    .executeTakeFirst()
  if (!row) return undefined
  const { keyStatus, endsAt, accountStatus, allowedAddresses, ...caller } = row
  return { caller, keyStatus, endsAt, accountStatus, isAllowedFrom: openAddressCheck(allowedAddresses) }
}

export function openKnownKeys(db: Db, epoch: Epoch): KnownKeys {
  const known = new Map<string, KnownKey>()
  const unknown = new Set<string>()
  const loading = new Map<string, Promise<KnownKey | undefined>>()
  let heldEpoch = -1

  /**
   * Forgets everything when the epoch has changed.
   * @returns false while there is no trusted epoch, so that the memory must not be used
   */
  function isMemoryTrusted(): boolean {
    const current = epoch.current()
    if (!current) return false
    if (current.epoch !== heldEpoch) {
      known.clear()
      unknown.clear()
      loading.clear()
      heldEpoch = current.epoch
    }
    return true
  }

  function remember(digest: string, key: KnownKey | undefined): void {
    if (key) {
      known.set(digest, key)
      return
    }
    unknown.add(digest)
    if (unknown.size <= unknownDigestsMax) return
    for (const oldest of unknown) {
      unknown.delete(oldest)
      return
    }
  }

  const loadUntrusted = shareYoungLoads((digest) => loadKey(db, digest))

  async function loadAndRemember(digest: string): Promise<KnownKey | undefined> {
    const epochBefore = heldEpoch
    const key = await loadKey(db, digest)
    // A key that was read under an older epoch may be outdated: it answers this request and is not kept.
    if (heldEpoch === epochBefore) remember(digest, key)
    return key
  }

  function find(digest: string): Promise<KnownKey | undefined> {
    if (!isMemoryTrusted()) return loadUntrusted(digest)
    const key = known.get(digest)
    if (key || unknown.has(digest)) return Promise.resolve(key)
    const underWay = loading.get(digest)
    if (underWay) return underWay
    const load = loadAndRemember(digest).finally(() => {
      if (loading.get(digest) === load) loading.delete(digest)
    })
    loading.set(digest, load)
    return load
  }

  return {
    peek: (digest) => (isMemoryTrusted() ? known.get(digest) : undefined),
    find,
  }
}
