import type { Db, Tx } from '../../platform/database/database.ts'
import { raiseCatalogueVersion } from '../../platform/database/epoch.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { appendOperatorLog } from '../../platform/operator-log/append-operator-log.ts'
import { OperatorRequestError } from '../../platform/operator-request-error.ts'
import type { SecretsKeys } from '../../platform/secrets/secrets-keys.ts'
import { adapters } from '../adapters.ts'
import { sealCredentials, unsealCredentials } from './supplier-credentials.ts'

/** What an operator wants changed about a supplier; what is absent stays as it is. */
export type SupplierChange = {
  /** The format it speaks; needed for a new supplier whose name is not that of a format. */
  readonly adapter?: string
  readonly isEnabled?: boolean
  readonly baseUrl?: string
  readonly slots?: number
  /** Null: no limit. */
  readonly requestsPerSecond?: number | null
  /** Replaces single settings; undefined takes one away. */
  readonly settings?: Readonly<Record<string, unknown>>
  readonly credentials?: Readonly<Record<string, string>>
}

/** A request of an operator that cannot be carried out. The message says what can be. */
export class SupplierChangeError extends OperatorRequestError {
  override readonly name = 'SupplierChangeError'
}

type StoredSupplier = {
  readonly adapter: string
  readonly settings: Record<string, unknown>
  readonly credentials: string | null
}

function readStored(tx: Tx, name: string): Promise<StoredSupplier | undefined> {
  return tx
    .selectFrom('suppliers')
    .select(['adapter', 'settings', 'credentials'])
    .where('name', '=', name)
    .forUpdate()
    .executeTakeFirst()
}

function adapterOf(name: string, change: SupplierChange, stored: StoredSupplier | undefined) {
  const adapterName = change.adapter ?? stored?.adapter ?? name
  const adapter = Object.hasOwn(adapters, adapterName) ? adapters[adapterName] : undefined
  if (!adapter) {
    const known = Object.keys(adapters).join(', ')
    throw new SupplierChangeError(`There is no adapter "${adapterName}"; say adapter=NAME with one of: ${known}.`)
  }
  return { adapterName, adapter }
}

function mergeSettings(stored: StoredSupplier | undefined, change: SupplierChange): Record<string, unknown> {
  const merged = { ...stored?.settings, ...change.settings }
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== undefined))
}

/** Secrets stay out of the log: only the names of the credentials that were set are kept. */
function describeChange(change: SupplierChange): Record<string, unknown> {
  return { ...change, ...(change.credentials ? { credentials: Object.keys(change.credentials) } : {}) }
}

/**
 * Adds or changes a supplier, for all processes within a second, and writes it to the operator's log.
 * Credentials are sealed into the row and merged with the ones already there.
 *
 * @returns whether the supplier is new
 * @throws SupplierChangeError when the adapter does not know a setting or credential
 */
export function writeSupplier(
  db: Db,
  keys: SecretsKeys,
  name: string,
  change: SupplierChange,
  actor: string,
): Promise<{ isNew: boolean }> {
  return inTransaction(db, async (tx) => {
    const stored = await readStored(tx, name)
    const { adapterName, adapter } = adapterOf(name, change, stored)
    const settings = mergeSettings(stored, change)
    try {
      adapter.checkSettings(settings)
    } catch (error) {
      throw new SupplierChangeError(error instanceof Error ? error.message : String(error))
    }
    const unknown = Object.keys(change.credentials ?? {}).filter((key) => !adapter.credentialNames.includes(key))
    if (unknown.length > 0) {
      throw new SupplierChangeError(
        `${adapterName} has no credential ${unknown.join(', ')}; it has ${adapter.credentialNames.join(', ')}.`,
      )
    }
    const credentials = change.credentials
      ? sealCredentials(keys, name, { ...unsealCredentials(keys, name, stored?.credentials ?? null), ...change.credentials })
      : undefined
    const values = {
      adapter: adapterName,
      settings: JSON.stringify(settings),
      ...(credentials === undefined ? {} : { credentials }),
      ...(change.isEnabled === undefined ? {} : { is_enabled: change.isEnabled }),
      ...(change.baseUrl === undefined ? {} : { base_url: change.baseUrl }),
      ...(change.slots === undefined ? {} : { slots: change.slots }),
      ...(change.requestsPerSecond === undefined ? {} : { requests_per_second: change.requestsPerSecond }),
    }
    if (stored) await tx.updateTable('suppliers').set(values).where('name', '=', name).execute()
    else
      await tx
        .insertInto('suppliers')
        .values({ name, ...values })
        .execute()
    await appendOperatorLog(tx, { actor, action: 'supplier set', subject: name, details: describeChange(change) })
    // Enabling or disabling a supplier changes which route is chosen, as a pause does.
    await raiseCatalogueVersion(tx)
    return { isNew: stored === undefined }
  })
}
