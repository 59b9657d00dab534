import type { Db } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import type { Api } from '../../platform/http/api.ts'
import { Envelope, ok } from '../../platform/http/envelope.ts'
import { RefusalError, refuse } from '../../platform/http/refusals.ts'
import { approveKey } from '../approve-key.ts'

import { KeyPath } from '../developer/developer.schemas.ts'
import { setKeyAddresses } from '../developer/set-key-addresses.ts'
import { findAccount } from '../find-account.ts'
import { type ListedKey, listKeys, readKey } from '../list-keys.ts'
import { revokeKey } from '../revoke-key.ts'
import { DeskKey, DeskKeyAddressesBody, DeskKeyPage, DeskKeyQuery, RevokeKeyBody } from './keys.desk.schemas.ts'

type KeyDeskDeps = { readonly db: Db }

const tags = ['Keys']
const noSuchKey = refuse(404, 'key_not_found', 'There is no such key.')

function viewDeskKey(key: ListedKey) {
  return {
    key_id: key.keyId,
    account_id: key.accountId,
    account_name: key.accountName,
    email: key.email,
    role: key.role,
    type: key.type,
    status: key.status,
    prefix: key.prefix,
    hint: key.hint,
    addresses: [...key.addresses],
    created_at: key.createdAt.toISOString(),
    revoked_at: key.revokedAt?.toISOString() ?? null,
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
    last_used_address: key.lastUsedIp,
  }
}

/** @throws RefusalError 404 */
async function readKnown({ db }: KeyDeskDeps, keyId: string) {
  const key = await readKey(db, keyId)
  if (!key) throw new RefusalError(noSuchKey)
  return viewDeskKey(key)
}

function registerKeyLists(desk: Api, deps: KeyDeskDeps): void {
  const { db } = deps
  desk.get(
    '/keys',
    {
      config: { permission: 'see' },
      schema: {
        operationId: 'deskListKeys',
        tags,
        summary: 'Keys of all accounts or of one, newest first; never the keys themselves',
        querystring: DeskKeyQuery,
        response: { 200: Envelope(DeskKeyPage) },
      },
    },
    async ({ query: { account: idOrEmail, status, type, after, limit } }) => {
      const account = idOrEmail === undefined ? undefined : await findAccount(db, idOrEmail)
      if (idOrEmail !== undefined && !account) return ok({ keys: [], next: null })
      // One more than a page, to learn whether there is a next page.
      const rows = await listKeys(db, { accountId: account?.accountId, status, type, after, limit: limit + 1 })
      const keys = rows.slice(0, limit).map(viewDeskKey)
      return ok({ keys, next: rows.length > limit ? (keys.at(-1)?.key_id ?? null) : null })
    },
  )
  desk.get(
    '/keys/:key_id',
    {
      config: { permission: 'see', refusals: [404] },
      schema: { operationId: 'deskReadKey', tags, summary: 'One key', params: KeyPath, response: { 200: Envelope(DeskKey) } },
    },
    async ({ params }) => ok(await readKnown(deps, params.key_id)),
  )
}

function registerKeyDecisions(desk: Api, deps: KeyDeskDeps): void {
  const { db } = deps
  desk.post(
    '/keys/:key_id/approve',
    {
      config: { permission: 'manage_keys', isConfirmationNeeded: true, refusals: [404, 409] },
      schema: {
        operationId: 'deskApproveKey',
        tags,
        summary: 'Let a key in that waits; its account is told',
        params: KeyPath,
        response: { 200: Envelope(DeskKey) },
      },
    },
    async ({ staff: { actor, mustNotOwn }, params: { key_id: keyId } }) => {
      mustNotOwn((await readKnown(deps, keyId)).account_id)
      await inTransaction(db, (tx) => approveKey(tx, { keyId, actor }))
      return ok(await readKnown(deps, keyId))
    },
  )
  desk.post(
    '/keys/:key_id/revoke',
    {
      config: { permission: 'manage_keys', isConfirmationNeeded: true, refusals: [404, 409] },
      schema: {
        operationId: 'deskRevokeKey',
        tags,
        summary: 'Refuse a key for good, or decline one that waits; its account is told why',
        params: KeyPath,
        body: RevokeKeyBody,
        response: { 200: Envelope(DeskKey) },
      },
    },
    async ({ staff: { actor, mustNotOwn }, params: { key_id: keyId }, body: { reason } }) => {
      mustNotOwn((await readKnown(deps, keyId)).account_id)
      await inTransaction(db, (tx) => revokeKey(tx, { keyId, reason, actor }))
      return ok(await readKnown(deps, keyId))
    },
  )
  desk.post(
    '/keys/:key_id/addresses',
    {
      config: { permission: 'manage_keys', isConfirmationNeeded: true, refusals: [404, 409] },
      schema: {
        operationId: 'deskSetKeyAddresses',
        tags,
        summary: 'Say from which addresses a key may be used; none: from everywhere',
        params: KeyPath,
        body: DeskKeyAddressesBody,
        response: { 200: Envelope(DeskKey) },
      },
    },
    async ({ staff: { actor, mustNotOwn }, params: { key_id: keyId }, body: { addresses } }) => {
      mustNotOwn((await readKnown(deps, keyId)).account_id)
      await inTransaction(db, (tx) => setKeyAddresses(tx, { keyId, addresses, actor }))
      return ok(await readKnown(deps, keyId))
    },
  )
}

export function registerKeyDeskRoutes(desk: Api, deps: KeyDeskDeps): void {
  registerKeyLists(desk, deps)
  registerKeyDecisions(desk, deps)
}
