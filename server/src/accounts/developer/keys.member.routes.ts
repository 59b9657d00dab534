import type { Db } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { Envelope, ok } from '../../platform/http/envelope.ts'
import { RefusalError } from '../../platform/http/refusals.ts'
import type { Api } from '../../platform/http/route-types.ts'
import { type ListedKey, listLiveKeys } from '../list-keys.ts'
import { keyPrefixOf } from '../make-key.ts'
import { withCallsToday } from '../request-log/with-calls-today.ts'
import { revokeKey } from '../revoke-key.ts'
import { createAddressCheck } from './address-ranges.ts'
import { developerRefusals } from './developer.refusals.ts'
import {
  DeveloperKeys,
  KeyAddresses,
  KeyAddressesBody,
  KeyPath,
  keyTypes,
  MadeKey,
  NewKeyBody,
  RevokedKey,
} from './developer.schemas.ts'
import { findKeyObstacle, generateKey, readKeyRights, rotateOwnKey } from './generate-key.ts'
import { oldKeyDays } from './rotate-key.ts'
import { setKeyAddresses } from './set-key-addresses.ts'

export type KeyRouteDeps = {
  readonly db: Db
  /** The first word of every key. */
  readonly keyPrefix: string
  readonly publicUrl: string
}

async function readKeys({ db, keyPrefix, publicUrl }: KeyRouteDeps, accountId: string, address: string) {
  const [rights, keys] = await Promise.all([readKeyRights(db, accountId), listLiveKeys(db, accountId)])
  const live = await withCallsToday(db, keys)
  return {
    apiUrl: `${publicUrl}/api/v2`,
    yourAddress: address,
    keys: keyTypes.map((type) => {
      const obstacle = findKeyObstacle(rights, type)
      return {
        type,
        prefix: keyPrefixOf(keyPrefix, type),
        obstacle: obstacle?.reason ?? null,
        obstacleMessage: obstacle?.message ?? null,
        key: live.find((each) => each.type === type && each.endsAt === null) ?? null,
        oldKey: live.find((each) => each.type === type && each.endsAt !== null) ?? null,
      }
    }),
  }
}

/** @throws RefusalError 404 unless the account has a live key of this id */
async function readOwnKey(db: Db, accountId: string, keyId: string): Promise<ListedKey> {
  const key = (await listLiveKeys(db, accountId)).find((each) => each.keyId === keyId.toLowerCase())
  if (!key) throw new RefusalError(developerRefusals.keyNotFound)
  return key
}

export function registerKeyMemberRoutes(app: Api, deps: KeyRouteDeps): void {
  const { db, keyPrefix } = deps
  app.get(
    '/keys',
    {
      config: { permission: 'look' },
      schema: {
        operationId: 'listKeys',
        tags: ['Developer API'],
        summary: 'The three types of keys, and the key of each',
        response: { 200: Envelope(DeveloperKeys) },
      },
    },
    async ({ membership, ip }) => ok(await readKeys(deps, membership.accountId, ip)),
  )
  app.post(
    '/keys',
    {
      config: { permission: 'manage_keys', isConfirmationNeeded: true, refusals: [409] },
      schema: {
        operationId: 'makeKey',
        tags: ['Developer API'],
        summary: 'Make a key; the old ones of its type stop working at once',
        description: 'A standard or commission key waits for the operator’s approval; an SMS key works at once.',
        body: NewKeyBody,
        response: { 200: Envelope(MadeKey) },
      },
    },
    async ({ membership: { accountId }, person, body: { type } }) => {
      const actor = `person:${person.email}`
      return ok(await inTransaction(db, (tx) => generateKey(tx, { accountId, type, prefix: keyPrefix, actor })))
    },
  )
  registerKeyChanges(app, deps)
  app.post(
    '/keys/:key_id/rotate',
    {
      config: { permission: 'manage_keys', isConfirmationNeeded: true, refusals: [404, 409] },
      schema: {
        operationId: 'rotateKey',
        tags: ['Developer API'],
        summary: 'Make a key that takes the place of this one without a gap',
        description: `The new key works at once, from the same addresses. This one works on until it is revoked, for ${oldKeyDays} days at most.`,
        params: KeyPath,
        response: { 200: Envelope(MadeKey) },
      },
    },
    async ({ membership: { accountId }, person, params: { keyId } }) => {
      const { type } = await readOwnKey(db, accountId, keyId)
      const asked = { accountId, type, keyId, prefix: keyPrefix, actor: `person:${person.email}` }
      return ok(await inTransaction(db, (tx) => rotateOwnKey(tx, asked)))
    },
  )
}

function registerKeyChanges(app: Api, { db }: KeyRouteDeps): void {
  app.delete(
    '/keys/:key_id',
    {
      config: { permission: 'manage_keys', isConfirmationNeeded: true, refusals: [404] },
      schema: {
        operationId: 'revokeKey',
        tags: ['Developer API'],
        summary: 'Revoke a key for good',
        params: KeyPath,
        response: { 200: Envelope(RevokedKey) },
      },
    },
    async ({ membership, person, params: { keyId } }) => {
      await readOwnKey(db, membership.accountId, keyId)
      await inTransaction(db, (tx) => revokeKey(tx, { keyId, actor: `person:${person.email}` }))
      return ok({ keyId, status: 'revoked' } as const)
    },
  )
  app.post(
    '/keys/:key_id/addresses',
    {
      config: { permission: 'manage_keys', isConfirmationNeeded: true, refusals: [404] },
      schema: {
        operationId: 'setKeyAddresses',
        tags: ['Developer API'],
        summary: 'Say from which addresses a key may be used',
        description: 'None means from everywhere. From another address the API answers 403 `address_not_allowed`.',
        params: KeyPath,
        body: KeyAddressesBody,
        response: { 200: Envelope(KeyAddresses) },
      },
    },
    async ({ membership, person, params: { keyId }, body, ip }) => {
      await readOwnKey(db, membership.accountId, keyId)
      const set = { keyId, addresses: body.addresses, actor: `person:${person.email}` }
      const { addresses } = await inTransaction(db, (tx) => setKeyAddresses(tx, set))
      return ok({ keyId, addresses, isYoursAllowed: createAddressCheck(addresses)?.(ip) ?? true })
    },
  )
}
