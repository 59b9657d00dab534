import type { Logger } from 'pino'
import type { Db } from '../platform/database/database.ts'
import { type Epoch, shareRecentLoads } from '../platform/database/epoch.ts'
import { type Refusal, RefusalError, refusals } from '../platform/http/refusals.ts'
import type { Settings } from '../platform/settings/settings.ts'
import { apiRoles } from './accounts.settings.ts'
import type { Caller, KeyType } from './caller.ts'
import { createAddressCheck } from './developer/address-ranges.ts'
import { keyDigest } from './make-key.ts'
import { type KeyUseRecord, openKeyUseRecord } from './open-key-use-record.ts'

/** An existing key in any state, with its account. */
type KnownKey = {
  readonly caller: Caller
  readonly keyStatus: 'pending' | 'active' | 'revoked'
  /** From this moment of the database's clock the key counts as revoked. */
  readonly endsAt: Date | null
  readonly accountStatus: 'active' | 'suspended'
  /** Undefined: the key may be used from everywhere. */
  readonly isAllowedFrom: ((address: string) => boolean) | undefined
}

/**
 * Keys of all accounts, by digest. A key that was looked up stays in memory until the epoch changes. Every change of a key or
 * an account changes the epoch.
 */
type KnownKeys = {
  /** The key, if it is in memory and the last read of the epoch is recent. */
  peek(digest: string): KnownKey | undefined
  /** The key from memory or the database; undefined when no account has it. */
  find(digest: string): Promise<KnownKey | undefined>
}

/** Counts failed keys by IP address. */
export type FailedKeys = {
  /** Seconds until this address may try again; 0 when it may now. */
  blockedSeconds(ipAddress: string): Promise<number>
  record(ipAddress: string): Promise<void>
}

/** Each process makes this once, with `openAuthentication`. */
export type Authentication = {
  readonly epoch: Epoch
  readonly settings: Settings
  readonly knownKeys: KnownKeys
  readonly keyUses: KeyUseRecord
  readonly failedKeys: FailedKeys
  /** Number of running look-ups for addresses that failed too often. */
  readonly suspectLookups: { count: number }
}

/** Close its `keyUses` when the process stops. */
export function openAuthentication(deps: {
  db: Db
  epoch: Epoch
  settings: Settings
  failedKeys: FailedKeys
  log: Pick<Logger, 'warn'>
}): Authentication {
  return {
    epoch: deps.epoch,
    settings: deps.settings,
    knownKeys: openKnownKeys(deps.db, deps.epoch),
    keyUses: openKeyUseRecord(deps),
    failedKeys: deps.failedKeys,
    suspectLookups: { count: 0 },
  }
}

/**
 * Many subscribers may share one address, so good keys from an address with many failures are still looked up. At most this
 * many of these look-ups run at a time in a process, so that invented keys cannot keep the database busy.
 */
const suspectLookupsMax = 4

/** Refuses a caller whose key was recognised. The owner of the key sees the refusal among the key's requests. */
export class CallerRefusedError extends RefusalError {
  readonly caller: Caller
  constructor(refusal: Refusal, caller: Caller) {
    super(refusal)
    this.caller = caller
  }
}

const refused = ({ caller }: KnownKey, refusal: Refusal) => new CallerRefusedError(refusal, caller)

const keyTypeNames: Readonly<Record<KeyType, string>> = {
  standard: 'a standard',
  sms: 'an SMS',
  commission: 'a commission',
}

async function findSuspectKey(deps: Authentication, digest: string, waitSeconds: number): Promise<KnownKey> {
  const lookups = deps.suspectLookups
  if (lookups.count >= suspectLookupsMax) throw new RefusalError(refusals.rateLimited(waitSeconds))
  lookups.count += 1
  try {
    const key = await deps.knownKeys.find(digest)
    if (!key) throw new RefusalError(refusals.rateLimited(waitSeconds))
    return key
  } finally {
    lookups.count -= 1
  }
}

/**
 * Looks up a key that is not in memory. Every such key takes the same steps, whatever is wrong with it: count of failures,
 * look-up by digest.
 * @throws RefusalError 401 when no account has it. For an address that failed too often, 429 instead, also when
 * `suspectLookupsMax` look-ups run already
 */
async function lookKeyUp(deps: Authentication, digest: string, ipAddress: string): Promise<KnownKey> {
  const waitSeconds = await deps.failedKeys.blockedSeconds(ipAddress)
  if (waitSeconds > 0) return findSuspectKey(deps, digest, waitSeconds)
  const key = await deps.knownKeys.find(digest)
  if (key) return key
  await deps.failedKeys.record(ipAddress)
  throw new RefusalError(refusals.invalidKey)
}

type Asked = { readonly authorization: string | undefined; readonly keyType: KeyType; readonly ipAddress: string }

/**
 * Finds the caller by the raw key in the `Authorization` header, for an endpoint that takes keys of one type. A header with
 * more than the key in it, such as "Bearer", matches no key. When the key and the settings are in memory, the caller is
 * returned without a promise, because each await would delay every request.
 * @throws RefusalError 401 when there is no key or no account has it (429 instead for an address that failed too often), then
 * 403 in this order: key type, key state, address, account state, role (contract, Authentication; decision A4: the order of
 * checks)
 */
export function authenticate(deps: Authentication, asked: Asked): Caller | Promise<Caller> {
  if (asked.authorization === undefined || asked.authorization === '') throw new RefusalError(refusals.invalidKey)
  const digest = keyDigest(asked.authorization)
  const key = deps.knownKeys.peek(digest)
  const roles = deps.settings.peek(apiRoles)
  return key && roles ? admit(deps, key, roles, asked) : authenticateUnknown(deps, digest, asked)
}

async function authenticateUnknown(deps: Authentication, digest: string, asked: Asked): Promise<Caller> {
  const key = deps.knownKeys.peek(digest) ?? (await lookKeyUp(deps, digest, asked.ipAddress))
  return admit(deps, key, await deps.settings.read(apiRoles), asked)
}

/**
 * Accepts the owner of a key, or refuses it. An expired role counts like a valid one here, so its key keeps working, at a
 * customer's prices (decisions S9: role and state as they are under the lock; S9b).
 */
function admit(deps: Authentication, key: KnownKey, roles: readonly string[], asked: Asked): Caller {
  const { caller } = key
  if (caller.keyType !== asked.keyType) throw refused(key, refusals.wrongKeyType(keyTypeNames[asked.keyType]))
  if (key.keyStatus === 'pending') throw refused(key, refusals.keyPending)
  const isOver = key.endsAt !== null && key.endsAt <= deps.epoch.databaseNow()
  if (key.keyStatus === 'revoked' || isOver) throw refused(key, refusals.keyRevoked)
  if (key.isAllowedFrom?.(asked.ipAddress) === false) throw refused(key, refusals.addressNotAllowed)
  if (key.accountStatus === 'suspended') throw refused(key, refusals.accountSuspended)
  if (!roles.includes(caller.role)) throw refused(key, refusals.roleNotAllowed)
  deps.keyUses.record(caller.keyId, asked.ipAddress)
  return caller
}

/**
 * A process remembers at most this many digests of keys that no account has. It forgets the oldest first. Keys that exist are
 * stored apart, so invented keys never displace them.
 */
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
  return { caller, keyStatus, endsAt, accountStatus, isAllowedFrom: createAddressCheck(allowedAddresses) }
}

function openKnownKeys(db: Db, epoch: Epoch): KnownKeys {
  const known = new Map<string, KnownKey>()
  const unknown = new Set<string>()
  const loading = new Map<string, Promise<KnownKey | undefined>>()
  let memoryEpoch = -1

  /**
   * Forgets everything when the epoch has changed.
   * @returns false while the last read of the epoch is too old: then the memory must not be used
   */
  function isMemoryTrusted(): boolean {
    const current = epoch.current()
    if (!current) return false
    if (current.epoch !== memoryEpoch) {
      known.clear()
      unknown.clear()
      loading.clear()
      memoryEpoch = current.epoch
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

  const loadUntrusted = shareRecentLoads((digest) => loadKey(db, digest))

  async function loadAndRemember(digest: string): Promise<KnownKey | undefined> {
    const epochBefore = memoryEpoch
    const key = await loadKey(db, digest)
    // A key that was read under an older epoch may be outdated: it answers this request and is not kept.
    if (memoryEpoch === epochBefore) remember(digest, key)
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
