import Type from 'typebox'
import type { Db, Tx } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { RefusalError, refuse } from '../../platform/http/refusals.ts'
import { GivenReason, Nullable, OneOf, Uuid } from '../../platform/http/schemas.ts'
import { NeededAtDesk, Timestamp, WithWireName } from '../../platform/operations/fields.ts'
import { type Actor, type OperationDeps, operation } from '../../platform/operations/operation.ts'
import { pageOf } from '../../platform/page-of.ts'
import { approveKey } from '../approve-key.ts'
import { createKey } from '../create-key.ts'
import { callsTodayFields, KeyAddressesBody, keyTypes } from '../developer/developer.schemas.ts'
import { oldKeyDays, rotateKey } from '../developer/rotate-key.ts'
import { setKeyAddresses } from '../developer/set-key-addresses.ts'
import { findAccount } from '../find-account.ts'
import { type ListedKey, listKeys, readKey } from '../list-keys.ts'
import { withCallsToday } from '../request-log/with-calls-today.ts'
import { revokeKey } from '../revoke-key.ts'

const keyStatuses = ['pending', 'active', 'revoked'] as const

const Key = Type.Object(
  {
    keyId: Uuid(),
    accountId: Uuid(),
    accountName: Type.String(),
    email: Type.String({ description: 'The account’s.' }),
    role: OneOf(['customer', 'agent', 'dealer'], { description: 'The account’s.' }),
    type: OneOf(keyTypes),
    status: OneOf(keyStatuses),
    prefix: Type.String({ description: 'What stands before the secret.' }),
    hint: Type.String({ description: 'The last four characters.' }),
    addresses: Type.Array(Type.String(), { description: 'From where it may be used; none: from everywhere.' }),
    createdAt: Timestamp(),
    endsAt: Nullable(Timestamp({ description: 'When it ends, because another key takes its place.' })),
    revokedAt: Nullable(Timestamp()),
    lastUsedAt: Nullable(Timestamp()),
    lastUsedAddress: Nullable(Type.String()),
  },
  { title: 'DeskKey' },
)

const KeyInFull = Type.Object({ ...Key.properties, ...callsTodayFields }, { title: 'DeskKeyInFull' })

const { accountName: _, role: _role, ...printedFields } = Key.properties

/** A key in the output of `--json`. */
export const PrintedKey = Type.Object({
  ...printedFields,
  lastUsedAddress: WithWireName('last_used_ip', Key.properties.lastUsedAddress),
})

export function describeKey(key: Omit<ListedKey, 'accountName' | 'role'>): string {
  const use =
    key.lastUsedAt === null
      ? 'never used'
      : `last used ${key.lastUsedAt.toISOString()} from ${key.lastUsedAddress ?? 'an unknown address'}`
  const end = key.endsAt === null || key.status === 'revoked' ? '' : ` until ${key.endsAt.toISOString()}`
  return `${key.keyId}  ${key.type}  ${key.prefix}…${key.hint}  ${key.status}${end}, ${use}`
}

const keyId = Uuid({ description: 'As the list of keys gives it.' })
const noSuchKey = refuse(404, 'key_not_found', 'There is no such key.')

async function mustFindKey(db: Db, id: string): Promise<ListedKey> {
  const key = await readKey(db, id)
  if (!key) throw new RefusalError(noSuchKey)
  return key
}

async function changeKey(db: Db, id: string, change: (tx: Tx) => Promise<unknown>): Promise<ListedKey> {
  await inTransaction(db, change)
  return mustFindKey(db, id)
}

const changing = {
  tag: 'Keys',
  permission: 'manage_keys',
  isConfirmationNeeded: true,
  refusals: [404, 409],
  output: Key,
  about: async ({ db }: OperationDeps, _actor: Actor, key: { readonly keyId: string }) =>
    (await mustFindKey(db, key.keyId)).accountId,
} as const

export const keyOperations = [
  operation({
    command: 'key create',
    example: 'makola key create --account ama@example.com --type standard',
    summary: 'Create a key and show it, once; the account’s other keys of that type are revoked',
    input: Type.Object({
      accountId: Uuid(),
      type: OneOf(['standard', 'sms', 'commission']),
      isPending: Type.Optional(
        Type.Boolean({ description: 'the key works only after `makola key approve`; not of SMS keys, which are active at once' }),
      ),
    }),
    output: Type.Object({ keyId: Uuid(), key: Type.String(), status: OneOf(keyStatuses) }),
    // The contract: an SMS key is active at once, with no approval.
    check: ({ type, isPending }) =>
      type === 'sms' && isPending ? 'An SMS key is active at once: --pending is for the other types.' : undefined,
    act: ({ db, keyPrefix: prefix }, { actor }, { isPending = false, ...key }) =>
      inTransaction(db, (tx) => createKey(tx, { ...key, isPending, prefix, actor })),
    text: ({ keyId: id, key, status }) =>
      `${key}\nKeep it safe: it is shown only now.${status === 'pending' ? `\nIt works after \`makola key approve ${id}\`.` : ''}`,
  }),
  operation({
    command: 'key rotate <key-id>',
    example: 'makola key rotate 0190a1b2-…',
    summary: `Create a key that takes the place of another one without a gap, and show it, once; the old one works on for ${oldKeyDays} days at most`,
    input: Type.Object({ keyId }),
    output: Type.Object({ keyId: Uuid(), key: Type.String(), status: OneOf(keyStatuses), oldKeyEndsAt: Timestamp() }),
    act: ({ db, keyPrefix: prefix }, { actor }, { keyId: id }) =>
      inTransaction(db, (tx) => rotateKey(tx, { keyId: id, prefix, actor })),
    text: ({ key, oldKeyEndsAt }, { keyId: id }) =>
      `${key}\nKeep it safe: it is shown only now. The old key works until ${oldKeyEndsAt.toISOString()}, or until \`makola key revoke ${id}\`.`,
  }),
  operation({
    command: 'key list',
    example: 'makola key list --pending',
    summary: 'List the keys of all accounts or of one, newest first; never the keys themselves',
    input: Type.Object({
      accountId: Type.Optional(Uuid()),
      isPending: Type.Optional(Type.Boolean({ description: 'only those that wait for an approval' })),
    }),
    output: Type.Array(PrintedKey),
    act: ({ db }, _actor, { accountId, isPending }) => listKeys(db, { accountId, status: isPending ? 'pending' : undefined }),
    text: (keys, { accountId, isPending }) =>
      keys.map((key) => (accountId === undefined ? `${describeKey(key)}  ${key.email}` : describeKey(key))).join('\n') ||
      (isPending ? 'No key waits for an approval.' : 'There is no key yet.'),
  }),
  operation({
    route: 'GET /keys',
    operationId: 'deskListKeys',
    tag: 'Keys',
    permission: 'see',
    summary: 'Keys of all accounts or of one, newest first; never the keys themselves',
    input: Type.Object({
      status: Type.Optional(OneOf(keyStatuses)),
      type: Type.Optional(OneOf(keyTypes)),
      account: Type.Optional(Type.String({ minLength: 1, maxLength: 254, description: 'The account’s id or e-mail.' })),
      after: Type.Optional(Uuid({ description: 'The `next` of the page before.' })),
      limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
    }),
    output: Type.Object({ keys: Type.Array(Key), next: Nullable(Uuid()) }, { title: 'DeskKeyPage' }),
    async act({ db }, _actor, { account: idOrEmail, limit, ...filters }) {
      const account = idOrEmail === undefined ? undefined : await findAccount(db, idOrEmail)
      if (idOrEmail !== undefined && !account) return { keys: [], next: null }
      const list = (rows: number) => listKeys(db, { ...filters, accountId: account?.accountId, limit: rows })
      const { rows: keys, next } = await pageOf(limit, list, (key) => key.keyId)
      return { keys, next }
    },
  }),
  operation({
    route: 'GET /keys/:key_id',
    operationId: 'deskReadKey',
    tag: 'Keys',
    permission: 'see',
    refusals: [404],
    summary: 'One key, with its calls of today',
    input: Type.Object({ keyId }),
    output: KeyInFull,
    async act({ db }, _actor, key) {
      const [read] = await withCallsToday(db, [await mustFindKey(db, key.keyId)])
      if (!read) throw new RefusalError(noSuchKey)
      return read
    },
  }),
  operation({
    ...changing,
    command: 'key approve <key-id>',
    route: 'POST /keys/:key_id/approve',
    operationId: 'deskApproveKey',
    summary: 'Approve a key that waits; its account gets a notice',
    input: Type.Object({ keyId }),
    act: ({ db }, { actor }, key) => changeKey(db, key.keyId, (tx) => approveKey(tx, { ...key, actor })),
    printed: Type.Pick(Key, ['keyId', 'status']),
    text: (key) => `Key ${key.keyId} is active.`,
  }),
  operation({
    ...changing,
    command: 'key revoke <key-id>',
    example: 'makola key revoke 0190a1b2-…',
    route: 'POST /keys/:key_id/revoke',
    operationId: 'deskRevokeKey',
    summary: 'Refuse a key for good, or decline one that waits; its account gets a notice with the reason',
    input: Type.Object({ keyId, reason: NeededAtDesk(GivenReason) }),
    act: ({ db }, { actor }, key) => changeKey(db, key.keyId, (tx) => revokeKey(tx, { ...key, actor })),
    printed: Type.Pick(Key, ['keyId', 'status']),
    text: (key) => `Key ${key.keyId} is revoked.`,
  }),
  operation({
    ...changing,
    command: 'key allow <key-id> [addresses...]',
    example: 'makola key allow 0190a1b2-… 203.0.113.0/24',
    route: 'POST /keys/:key_id/addresses',
    operationId: 'deskSetKeyAddresses',
    summary: 'Say from which addresses a key may be used; none: from everywhere',
    input: Type.Object({ keyId, ...KeyAddressesBody.properties }),
    act: ({ db }, { actor }, key) => changeKey(db, key.keyId, (tx) => setKeyAddresses(tx, { ...key, actor })),
    printed: Type.Pick(Key, ['keyId', 'addresses']),
    text: (key) =>
      `Key ${key.keyId} may be used ${key.addresses.length === 0 ? 'from everywhere' : `from ${key.addresses.join(', ')} alone`}.`,
  }),
]
