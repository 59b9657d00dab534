import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts'
import { readWithinASecond } from '../../test/within-a-second.ts'
import { type Epoch, raiseEpoch, watchEpoch } from '../platform/database/epoch.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import { RefusalError } from '../platform/http/refusals.ts'
import { openSettings, type Settings, writeSetting } from '../platform/settings/settings.ts'
import { apiRoles } from './accounts.settings.ts'
import { approveKey } from './approve-key.ts'
import { type Authentication, authenticate, openAuthentication } from './authenticate.ts'
import type { KeyType, Role } from './caller.ts'
import { createAccount } from './create-account.ts'
import { createKey } from './create-key.ts'
import { rotateKey } from './developer/rotate-key.ts'
import { listKeys } from './list-keys.ts'
import { keyDigest } from './make-key.ts'
import { endKeys, revokeKey } from './revoke-key.ts'
import { setAccountRole } from './set-account-role.ts'
import { setAccountStatus } from './set-account-status.ts'

/** The parts of one API process: its own watcher of the epoch, its own memory. */
type TestProcess = Authentication & { epoch: Epoch; settings: Settings }

const keyTypes: readonly KeyType[] = ['standard', 'sms', 'commission']
const loopback = '127.0.0.1'
const actor = 'test'

let database: TestDatabase
let one: TestProcess
let two: TestProcess
const opened: TestProcess[] = []

async function openProcess(failedKeysMax = Number.POSITIVE_INFINITY): Promise<TestProcess> {
  const epoch = await watchEpoch(database.db)
  const settings = openSettings(database.db, epoch)
  const failures = new Map<string, number>()
  const failedKeys = {
    blockedSeconds: async (ip: string) => ((failures.get(ip) ?? 0) >= failedKeysMax ? 30 : 0),
    record: async (ip: string) => void failures.set(ip, (failures.get(ip) ?? 0) + 1),
  }
  const log = { warn: (details: unknown) => expect.unreachable(JSON.stringify(details)) }
  const authentication = openAuthentication({ db: database.db, epoch, settings, failedKeys, log })
  const testProcess = { ...authentication, epoch, settings }
  opened.push(testProcess)
  return testProcess
}

let lastEmail = 0

function makeAccount(role: Role = 'agent', roleExpiresAt: Date | null = null): Promise<string> {
  return inTransaction(database.db, async (tx) => {
    const email = `reseller-${++lastEmail}@example.test`
    const account = { email, name: 'Ama', role, roleExpiresAt, isBusiness: false, isPolicyAccepted: true, actor }
    return (await createAccount(tx, account)).accountId
  })
}

function makeKey(accountId: string, type: KeyType, isPending = false) {
  return inTransaction(database.db, (tx) => createKey(tx, { accountId, type, isPending, prefix: 'makola', actor }))
}

/** Waits until both processes have seen the newest state of the database. */
async function seenEverywhere(): Promise<void> {
  await Promise.all([one.epoch.refresh(), two.epoch.refresh()])
}

async function refusalOf(
  process: Authentication,
  authorization: string | undefined,
  keyType: KeyType = 'standard',
  ipAddress = loopback,
) {
  const failure: unknown = await Promise.try(authenticate, process, { authorization, keyType, ipAddress }).catch(
    (error: unknown) => error,
  )
  if (failure instanceof RefusalError) return failure.refusal
  if (failure instanceof Error) throw failure
  return undefined
}

beforeAll(async () => {
  database = await createTestDatabase()
  one = await openProcess()
  two = await openProcess()
})

afterAll(async () => {
  await Promise.all(opened.map((process) => process.keyUses.close()))
  for (const process of opened) process.epoch.stop()
  await database.drop()
})

describe('the three key types', () => {
  it('have the prefixes of the contract and at least 160 random bits beside the hint', async () => {
    const accountId = await makeAccount()
    const shapes = {
      standard: /^makola_live_[a-km-np-z2-9]{36}$/,
      sms: /^makola_sms_live_[a-km-np-z2-9]{36}$/,
      commission: /^makola_cs_live_[a-km-np-z2-9]{36}$/,
    }
    for (const type of keyTypes) expect((await makeKey(accountId, type)).key).toMatch(shapes[type])
  })

  it('each work in their own area only: every other combination answers 403 and names the type needed', async () => {
    const accountId = await makeAccount()
    const keys = { standard: '', sms: '', commission: '' }
    for (const type of keyTypes) keys[type] = (await makeKey(accountId, type)).key
    await seenEverywhere()
    for (const type of keyTypes) {
      expect(await refusalOf(one, keys[type], type)).toBeUndefined()
      for (const needed of keyTypes.filter((other) => other !== type)) {
        const refusal = await refusalOf(one, keys[type], needed)
        expect(refusal).toMatchObject({ status: 403, reason: 'wrong_key_type' })
        expect(refusal?.message.toLowerCase()).toContain(`${needed} key`)
      }
    }
  })

  it('are stored as a digest, never as text', async () => {
    const accountId = await makeAccount()
    const { key } = await makeKey(accountId, 'standard')
    const row = await database.db.selectFrom('api_keys').selectAll().where('account_id', '=', accountId).executeTakeFirstOrThrow()
    expect(row.digest).toHaveLength(32)
    expect(row.hint).toBe(key.slice(-4))
    expect(JSON.stringify(row)).not.toContain(key)
  })
})

describe('a key that is missing, malformed, unknown or nearly right', () => {
  it('answers 401 with one and the same text', async () => {
    const accountId = await makeAccount()
    const { key } = await makeKey(accountId, 'standard')
    await seenEverywhere()
    const last = key.endsWith('a') ? 'b' : 'a'
    const wrong = [
      undefined,
      '',
      `Bearer ${key}`,
      `bearer ${key}`,
      ` ${key}`,
      `${key} `,
      key.slice(0, -1),
      `${key.slice(0, -1)}${last}`,
      key.toUpperCase(),
      `${key},${key}`,
      'makola_live_',
      'x',
      'é'.repeat(4_000),
      "' or 1=1 --",
      '\0',
    ]
    const refusals = await Promise.all(wrong.map((authorization) => refusalOf(one, authorization)))
    expect(new Set(refusals.map((refusal) => JSON.stringify(refusal))).size).toBe(1)
    expect(refusals[0]).toMatchObject({ status: 401, reason: 'invalid_key' })
  })

  it('answers 401 only until the key exists: a new one is let in on every process within a second', async () => {
    const accountId = await makeAccount()
    const { key } = await makeKey(accountId, 'standard')
    expect(await refusalOf(one, `${key}x`)).toMatchObject({ status: 401 })
    expect(await readWithinASecond(undefined, () => refusalOf(two, key))).toBeUndefined()
  })

  it('that was asked for before it existed is let in once it does', async () => {
    const accountId = await makeAccount()
    const key = `makola_live_asked-early-${accountId}`
    await Promise.all([seenEverywhere(), refusalOf(one, key), refusalOf(two, key)])
    expect(await refusalOf(two, key)).toMatchObject({ status: 401 })
    await inTransaction(database.db, async (tx) => {
      const digest = Buffer.from(keyDigest(key), 'hex')
      const row = {
        id: accountId,
        account_id: accountId,
        type: 'standard',
        digest,
        prefix: 'makola_live_',
        hint: key.slice(-4),
        status: 'active',
      } as const
      await tx.insertInto('api_keys').values(row).execute()
      await raiseEpoch(tx)
    })
    expect(await readWithinASecond(undefined, () => refusalOf(two, key))).toBeUndefined()
  })

  it('makes its IP address wait once it has failed too often, while a good key from there is still let in', async () => {
    const process = await openProcess(5)
    const accountId = await makeAccount()
    const { key } = await makeKey(accountId, 'standard')
    await process.epoch.refresh()
    for (let attempt = 0; attempt < 5; attempt++) {
      expect(await refusalOf(process, `makola_live_guess${attempt}`)).toMatchObject({ status: 401 })
    }
    expect(await refusalOf(process, 'makola_live_guess6')).toMatchObject({ status: 429, retryAfterSeconds: 30 })
    expect(await refusalOf(process, 'makola_live_guess6', 'standard', '192.0.2.1')).toMatchObject({ status: 401 })
    expect(await refusalOf(process, key)).toBeUndefined()
    // The second check uses the memory, without a look-up.
    expect(await refusalOf(process, key)).toBeUndefined()
  })

  it('lets an address that guesses have only a few look-ups at a time', async () => {
    const process = await openProcess(1)
    await refusalOf(process, 'first guess')
    const guesses = Array.from({ length: 200 }, (_, index) => refusalOf(process, `guess ${index}`))
    await Promise.resolve()
    expect(process.suspectLookups.count).toBeLessThanOrEqual(4)
    for (const refusal of await Promise.all(guesses)) expect(refusal?.status).toBe(429)
    expect(process.suspectLookups.count).toBe(0)
  })
})

describe('the checks of a key', () => {
  it('go in the order type, key state, account state, role', async () => {
    const accountId = await makeAccount('customer')
    const { key, keyId } = await makeKey(accountId, 'standard', true)
    await writeSetting(database.db, apiRoles, ['agent', 'dealer'], actor)
    await inTransaction(database.db, (tx) => setAccountStatus(tx, { accountId, status: 'suspended', actor }))
    await seenEverywhere()
    expect(await refusalOf(one, key, 'sms')).toMatchObject({ status: 403, reason: 'wrong_key_type' })
    expect(await refusalOf(one, key)).toMatchObject({ status: 403, reason: 'key_pending' })
    await inTransaction(database.db, (tx) => approveKey(tx, { keyId, actor }))
    await seenEverywhere()
    expect(await refusalOf(one, key)).toMatchObject({ status: 403, reason: 'account_suspended' })
    await inTransaction(database.db, (tx) => setAccountStatus(tx, { accountId, status: 'active', actor }))
    await seenEverywhere()
    expect(await refusalOf(one, key)).toMatchObject({ status: 403, reason: 'role_not_allowed' })
    await writeSetting(database.db, apiRoles, ['customer', 'agent', 'dealer'], actor)
    await seenEverywhere()
    expect(await refusalOf(one, key)).toBeUndefined()
    await inTransaction(database.db, (tx) => revokeKey(tx, { keyId, actor }))
    await seenEverywhere()
    expect(await refusalOf(one, key)).toMatchObject({ status: 403, reason: 'key_revoked' })
  })

  it('let the key of an expired agent in, though customers may not call', async () => {
    const accountId = await makeAccount('agent')
    const { key } = await makeKey(accountId, 'standard')
    await database.db
      .updateTable('accounts')
      .set({ role_expires_at: new Date('2020-01-01T00:00:00Z') })
      .where('id', '=', accountId)
      .execute()
    await writeSetting(database.db, apiRoles, ['agent', 'dealer'], actor)
    await seenEverywhere()
    const caller = await authenticate(one, { authorization: key, keyType: 'standard', ipAddress: loopback })
    expect(caller).toMatchObject({ accountId, role: 'agent', roleExpiresAt: new Date('2020-01-01T00:00:00Z') })
    await writeSetting(database.db, apiRoles, ['customer', 'agent', 'dealer'], actor)
    await seenEverywhere()
  })
})

describe('within one second on every process', () => {
  it('a revoked key is refused', async () => {
    const { key, keyId } = await makeKey(await makeAccount(), 'standard')
    expect(
      await readWithinASecond([undefined, undefined], () => Promise.all([refusalOf(one, key), refusalOf(two, key)])),
    ).toEqual([undefined, undefined])
    await inTransaction(database.db, (tx) => revokeKey(tx, { keyId, actor }))
    expect(await readWithinASecond('key_revoked', async () => (await refusalOf(one, key))?.reason)).toBe('key_revoked')
    expect(await readWithinASecond('key_revoked', async () => (await refusalOf(two, key))?.reason)).toBe('key_revoked')
  })

  it('a suspended account is refused and a reactivated one let in', async () => {
    const accountId = await makeAccount()
    const { key } = await makeKey(accountId, 'commission')
    expect(await readWithinASecond(undefined, () => refusalOf(two, key, 'commission'))).toBeUndefined()
    await inTransaction(database.db, (tx) => setAccountStatus(tx, { accountId, status: 'suspended', actor }))
    expect(await readWithinASecond('account_suspended', async () => (await refusalOf(two, key, 'commission'))?.reason)).toBe(
      'account_suspended',
    )
    await inTransaction(database.db, (tx) => setAccountStatus(tx, { accountId, status: 'active', actor }))
    expect(await readWithinASecond(undefined, () => refusalOf(two, key, 'commission'))).toBeUndefined()
  })

  it('a new role is seen', async () => {
    const accountId = await makeAccount('customer')
    const { key } = await makeKey(accountId, 'standard')
    const ask = () => authenticate(two, { authorization: key, keyType: 'standard', ipAddress: loopback })
    expect(await readWithinASecond('customer', async () => (await ask()).role)).toBe('customer')
    await inTransaction(database.db, (tx) => setAccountRole(tx, { accountId, role: 'dealer', roleExpiresAt: null, actor }))
    expect(await readWithinASecond('dealer', async () => (await ask()).role)).toBe('dealer')
  })
})

describe('one live key per account and type', () => {
  it('is left when calls race, and all the others are revoked', async () => {
    const accountId = await makeAccount()
    const made = await Promise.all(Array.from({ length: 12 }, (_, index) => makeKey(accountId, 'standard', index % 2 === 0)))
    await makeKey(accountId, 'sms')
    const keys = await listKeys(database.db, { accountId })
    const standard = keys.filter((key) => key.type === 'standard')
    expect(standard).toHaveLength(made.length)
    expect(standard.filter((key) => key.status !== 'revoked')).toHaveLength(1)
    expect(keys.filter((key) => key.type === 'sms' && key.status === 'active')).toHaveLength(1)
  })

  it('revokes the previous key at once, also while the new one is pending, and a revoked key is never approved', async () => {
    const accountId = await makeAccount()
    const first = await makeKey(accountId, 'standard')
    const second = await makeKey(accountId, 'standard', true)
    const third = await makeKey(accountId, 'standard', true)
    await seenEverywhere()
    expect(await refusalOf(one, first.key)).toMatchObject({ reason: 'key_revoked' })
    expect(await refusalOf(one, second.key)).toMatchObject({ reason: 'key_revoked' })
    expect(await refusalOf(one, third.key)).toMatchObject({ reason: 'key_pending' })
    const approve = (keyId: string) => inTransaction(database.db, (tx) => approveKey(tx, { keyId, actor }))
    await expect(approve(second.keyId)).rejects.toThrow('was revoked and cannot be approved')
    await expect(approve(third.keyId)).resolves.toEqual({ keyId: third.keyId, status: 'active' })
    await expect(approve('no-key')).rejects.toThrow('There is no key no-key')
  })
})

describe('a key that another one takes the place of', () => {
  const rotate = (keyId: string) => inTransaction(database.db, (tx) => rotateKey(tx, { keyId, prefix: 'makola', actor }))

  it('has one successor when calls race, and is revoked with it when a new key is created', async () => {
    const accountId = await makeAccount()
    const old = await makeKey(accountId, 'standard')
    const outcomes = await Promise.allSettled(Array.from({ length: 6 }, () => rotate(old.keyId)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const live = async () => (await listKeys(database.db, { accountId })).filter(({ status }) => status !== 'revoked')
    expect(await live()).toHaveLength(2)
    const { keyId } = await makeKey(accountId, 'standard', true)
    expect((await live()).map((key) => key.keyId)).toEqual([keyId])
  })

  it('is refused from the moment of its end, and revoked with a notice by the timer', async () => {
    const old = await makeKey(await makeAccount(), 'standard')
    const { key, oldKeyEndsAt } = await rotate(old.keyId)
    const days = (Number(oldKeyEndsAt) - one.epoch.databaseNow().getTime()) / 86_400_000
    expect(days).toBeGreaterThan(6.99)
    expect(days).toBeLessThan(7.01)
    await seenEverywhere()
    expect([await refusalOf(one, old.key), await refusalOf(one, key)]).toEqual([undefined, undefined])
    await endKeys(database.db)
    expect(await refusalOf(one, old.key)).toBeUndefined()
    await inTransaction(database.db, async (tx) => {
      await tx
        .updateTable('api_keys')
        .set({ ends_at: new Date(0) })
        .where('id', '=', old.keyId)
        .execute()
      await raiseEpoch(tx)
    })
    await seenEverywhere()
    expect(await refusalOf(one, old.key)).toMatchObject({ reason: 'key_revoked' })
    await endKeys(database.db)
    expect((await listKeys(database.db, { status: 'revoked' })).map(({ keyId }) => keyId)).toContain(old.keyId)
    const notices = database.db.selectFrom('reseller_notices').select('body').where('about', '=', old.keyId)
    expect(await notices.execute()).toEqual([{ body: expect.stringContaining('because a new standard key was made') }])
    expect(await refusalOf(one, key)).toBeUndefined()
  })
})

describe('the last use of a key', () => {
  const readStamp = (keyId: string) =>
    database.db.selectFrom('api_keys').select(['last_used_at', 'last_used_ip']).where('id', '=', keyId).executeTakeFirstOrThrow()

  beforeEach(seenEverywhere)

  it('is stamped with time and address at most once a minute over all processes, and a refused use not at all', async () => {
    const accountId = await makeAccount()
    const { key, keyId } = await makeKey(accountId, 'standard')
    await seenEverywhere()
    await refusalOf(one, key, 'sms', '192.0.2.7')
    await one.keyUses.flush()
    expect(await readStamp(keyId)).toEqual({ last_used_at: null, last_used_ip: null })
    await authenticate(one, { authorization: key, keyType: 'standard', ipAddress: '192.0.2.8' })
    await one.keyUses.flush()
    const first = await readStamp(keyId)
    expect(first.last_used_ip).toBe('192.0.2.8')
    expect(Math.abs(Number(first.last_used_at) - one.epoch.databaseNow().getTime())).toBeLessThan(60_000)
    await authenticate(one, { authorization: key, keyType: 'standard', ipAddress: '192.0.2.9' })
    await authenticate(two, { authorization: key, keyType: 'standard', ipAddress: '2001:db8::1' })
    await Promise.all([one.keyUses.flush(), two.keyUses.flush()])
    expect(await readStamp(keyId)).toEqual(first)
    await database.db
      .updateTable('api_keys')
      .set({ last_used_at: new Date(Number(first.last_used_at) - 61_000) })
      .where('id', '=', keyId)
      .execute()
    const three = await openProcess()
    await authenticate(three, { authorization: key, keyType: 'standard', ipAddress: '2001:db8::1' })
    await three.keyUses.flush()
    expect((await readStamp(keyId)).last_used_ip).toBe('2001:db8::1')
  })
})
