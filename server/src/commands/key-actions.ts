import { approveKey } from '../accounts/approve-key.ts'
import type { KeyType } from '../accounts/caller.ts'
import { createKey } from '../accounts/create-key.ts'
import { setKeyAddresses } from '../accounts/developer/set-key-addresses.ts'
import { readAccount } from '../accounts/find-account.ts'
import { type ListedKey, listKeys } from '../accounts/list-keys.ts'
import { revokeKey } from '../accounts/revoke-key.ts'
import { readConfig } from '../config.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import { RefusalError } from '../platform/http/refusals.ts'
import { UsageError } from './frame/command-error.ts'
import { operatorName } from './frame/operator-name.ts'
import { printResult } from './frame/print-result.ts'
import { readChoice, readText } from './frame/read-options.ts'
import { withDatabase } from './frame/with-database.ts'

export type NewKeyOptions = { account: string; type: string; pending?: true }
export type ListKeysOptions = { account?: string; pending?: true }

const keyTypes: readonly KeyType[] = ['standard', 'sms', 'commission']

export async function runKeyCreate(options: NewKeyOptions): Promise<void> {
  const type = readChoice('--type', options.type, keyTypes)
  // The contract: an SMS key is active at once, with no approval.
  if (type === 'sms' && options.pending) throw new UsageError('An SMS key is active at once: --pending is for the other types.')
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

export async function runKeyApprove(keyId: string): Promise<void> {
  const key = await withDatabase(readConfig(), (db) =>
    inTransaction(db, (tx) => approveKey(tx, { keyId, actor: operatorName() })),
  )
  printResult({ key_id: key.keyId, status: key.status }, `Key ${key.keyId} is active.`)
}

export async function runKeyRevoke(keyId: string, options: { reason?: string }): Promise<void> {
  const reason = options.reason === undefined ? undefined : readText('--reason', options.reason)
  const key = await withDatabase(readConfig(), (db) =>
    inTransaction(db, (tx) => revokeKey(tx, { keyId, reason, actor: operatorName() })),
  )
  printResult({ key_id: key.keyId, status: key.status }, `Key ${key.keyId} is revoked.`)
}

export async function runKeyAllow(keyId: string, addresses: readonly string[]): Promise<void> {
  const allowed = await withDatabase(readConfig(), (db) =>
    inTransaction(db, (tx) => setKeyAddresses(tx, { keyId, addresses, actor: operatorName() })),
  ).catch((error: unknown) => {
    throw error instanceof RefusalError ? new UsageError(error.message) : error
  })
  const from = allowed.addresses.length === 0 ? 'from everywhere' : `from ${allowed.addresses.join(', ')} alone`
  printResult({ key_id: allowed.keyId, addresses: allowed.addresses }, `Key ${allowed.keyId} may be used ${from}.`)
}

export function viewKey(key: ListedKey) {
  return {
    key_id: key.keyId,
    account_id: key.accountId,
    email: key.email,
    type: key.type,
    status: key.status,
    prefix: key.prefix,
    hint: key.hint,
    addresses: key.addresses,
    created_at: key.createdAt.toISOString(),
    revoked_at: key.revokedAt?.toISOString() ?? null,
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
    last_used_ip: key.lastUsedIp,
  }
}

export function describeKey(key: ReturnType<typeof viewKey>): string {
  const use =
    key.last_used_at === null ? 'never used' : `last used ${key.last_used_at} from ${key.last_used_ip ?? 'an unknown address'}`
  return `${key.key_id}  ${key.type}  ${key.prefix}…${key.hint}  ${key.status}, ${use}`
}

export async function runKeyList(options: ListKeysOptions): Promise<void> {
  const keys = await withDatabase(readConfig(), async (db) => {
    const account = options.account === undefined ? undefined : await readAccount(db, options.account)
    return listKeys(db, { ...(account && { accountId: account.accountId }), ...(options.pending && { status: 'pending' }) })
  })
  const json = keys.map(viewKey)
  const lines = json.map((key) => (options.account === undefined ? `${describeKey(key)}  ${key.email}` : describeKey(key)))
  printResult(json, lines.join('\n') || (options.pending ? 'No key waits for an approval.' : 'There is no key yet.'))
}
