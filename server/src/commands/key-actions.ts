import { approveKey } from '../accounts/approve-key.ts'
import type { KeyType } from '../accounts/caller.ts'
import { createKey } from '../accounts/create-key.ts'
import { readAccount } from '../accounts/find-account.ts'
import { type ListedKey, listKeys } from '../accounts/list-keys.ts'
import { revokeKey } from '../accounts/revoke-key.ts'
import { readConfig } from '../config.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import { CommandError } from './command-error.ts'
import { operatorName } from './operator-name.ts'
import { printResult } from './print-result.ts'
import { withDatabase } from './with-database.ts'

export type NewKeyOptions = { account: string; type: string; pending?: true }

const keyTypes: readonly KeyType[] = ['standard', 'sms', 'commission']

function readKeyType(text: string): KeyType {
  const type = keyTypes.find((known) => known === text)
  if (type) return type
  throw new CommandError(`--type must be one of ${keyTypes.join(', ')}, not ${JSON.stringify(text)}.`)
}

/** `makola key create`. */
export async function runKeyCreate(options: NewKeyOptions): Promise<void> {
  const type = readKeyType(options.type)
  const config = readConfig()
  const created = await withDatabase(config, (db) =>
    inTransaction(db, async (tx) => {
      const { accountId } = await readAccount(tx, options.account)
      const isPending = options.pending ?? false
      return createKey(tx, { accountId, type, isPending, prefix: config.keyPrefix, actor: operatorName() })
    }),
  )
  const { keyId, key, status } = created
  const waits = status === 'pending' ? `\nIt works after \`makola key approve ${keyId}\`.` : ''
  printResult({ key_id: keyId, key, status }, `${key}\nKeep it safe: it is shown only now.${waits}`)
}

/** `makola key approve`. */
export async function runKeyApprove(keyId: string): Promise<void> {
  const key = await withDatabase(readConfig(), (db) =>
    inTransaction(db, (tx) => approveKey(tx, { keyId, actor: operatorName() })),
  )
  printResult({ key_id: key.keyId, status: key.status }, `Key ${key.keyId} is active.`)
}

/** `makola key revoke`. */
export async function runKeyRevoke(keyId: string): Promise<void> {
  const key = await withDatabase(readConfig(), (db) => inTransaction(db, (tx) => revokeKey(tx, { keyId, actor: operatorName() })))
  printResult({ key_id: key.keyId, status: key.status }, `Key ${key.keyId} is revoked.`)
}

function describeKey(key: ListedKey): string {
  const use = key.lastUsedAt
    ? `last used ${key.lastUsedAt.toISOString()} from ${key.lastUsedIp ?? 'an unknown address'}`
    : 'never used'
  return `${key.keyId}  ${key.type}  …${key.hint}  ${key.status}, ${use}`
}

/** `makola key list`. */
export async function runKeyList(idOrEmail: string): Promise<void> {
  const keys = await withDatabase(readConfig(), async (db) => listKeys(db, (await readAccount(db, idOrEmail)).accountId))
  const json = keys.map((key) => ({
    key_id: key.keyId,
    type: key.type,
    status: key.status,
    hint: key.hint,
    created_at: key.createdAt.toISOString(),
    revoked_at: key.revokedAt?.toISOString() ?? null,
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
    last_used_ip: key.lastUsedIp,
  }))
  printResult(json, keys.map(describeKey).join('\n') || 'The account has no key yet.')
}
