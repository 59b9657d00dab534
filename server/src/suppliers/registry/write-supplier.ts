import type { Insertable } from 'kysely'
import type { Tables, Tx } from '../../platform/database/database.ts'
import { raiseCatalogueVersion } from '../../platform/database/epoch.ts'
import { appendOperatorLog } from '../../platform/operator-log/append-operator-log.ts'
import { OperatorRequestError } from '../../platform/operator-request-error.ts'
import type { SecretsKeys } from '../../platform/secrets/secrets-keys.ts'
import type { Adapter } from '../adapter.ts'
import { adapters } from '../adapters.ts'
import { sealCredentials, unsealCredentials } from './supplier-credentials.ts'

/** A change of a supplier. Absent fields stay. */
export type SupplierChange = {
  /** The adapter; required for a new supplier whose name is not an adapter's. */
  readonly adapter?: string
  readonly isEnabled?: boolean
  readonly baseUrl?: string
  readonly slots?: number
  /** Null: no limit. */
  readonly requestsPerSecond?: number | null
  /** Replaces single settings; undefined resets one. */
  readonly settings?: Readonly<Record<string, unknown>>
  /** True: `settings` is complete, and every other setting goes back to its default. */
  readonly areAllSettings?: boolean
  /** Refuses a supplier that exists already. */
  readonly isNew?: boolean
  readonly credentials?: Readonly<Record<string, string>>
  readonly reason?: string
}

/** The requested change of a supplier is impossible. The message says what is possible. */
export class SupplierChangeError extends OperatorRequestError {
  override readonly name = 'SupplierChangeError'
}

/** Thrown instead of changing the existing supplier of this name. */
export class SupplierExistsError extends SupplierChangeError {
  constructor(name: string) {
    super(`There is a supplier ${name} already.`)
  }
}

function readStored(tx: Tx, name: string) {
  return tx
    .selectFrom('suppliers')
    .select([
      'adapter',
      'is_enabled',
      'base_url',
      'slots',
      'requests_per_second',
      'settings',
      'credentials',
      'credentials_set_at',
    ])
    .where('name', '=', name)
    .forUpdate()
    .executeTakeFirst()
}
type StoredSupplier = NonNullable<Awaited<ReturnType<typeof readStored>>>

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
  const merged = { ...(change.areAllSettings ? {} : stored?.settings), ...change.settings }
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== undefined))
}

/** Values of a supplier for the log: everything but its credentials. */
function loggedValues(stored: StoredSupplier, settings: Record<string, unknown>): Record<string, unknown> {
  const { adapter, is_enabled: enabled, base_url, slots, requests_per_second } = stored
  return { adapter, enabled, base_url, slots, requests_per_second, ...nameSettings(settings) }
}

const nameSettings = (settings: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(settings).map(([name, value]) => [`settings.${name}`, value]))

/** The differences, before and after, without credentials. */
function describeChange(
  change: SupplierChange,
  stored: StoredSupplier | undefined,
  next: { readonly adapter: string; readonly settings: Record<string, unknown> },
): Record<string, unknown> {
  const before = stored ? loggedValues(stored, stored.settings) : {}
  const wanted = {
    adapter: next.adapter,
    ...(change.isEnabled !== undefined && { enabled: change.isEnabled }),
    ...(change.baseUrl !== undefined && { base_url: change.baseUrl }),
    ...(change.slots !== undefined && { slots: change.slots }),
    ...(change.requestsPerSecond !== undefined && { requests_per_second: change.requestsPerSecond }),
    ...nameSettings(next.settings),
  }
  const removed = Object.keys(before).filter((key) => key.startsWith('settings.') && !Object.hasOwn(wanted, key))
  const after: Record<string, unknown> = { ...wanted, ...Object.fromEntries(removed.map((key) => [key, null])) }
  const changed = Object.keys(after).filter((key) => JSON.stringify(before[key] ?? null) !== JSON.stringify(after[key] ?? null))
  const only = (values: Record<string, unknown>) => Object.fromEntries(changed.map((key) => [key, values[key] ?? null]))
  return {
    before: only(before),
    after: only(after),
    ...(change.reason !== undefined && { reason: change.reason }),
  }
}

/** Returns, as JSON, when each credential was last set. Those of this change get the present time. */
function markCredentials(stored: StoredSupplier | undefined, credentialsSet: readonly string[]): string {
  const now = new Date().toISOString()
  const marked = Object.fromEntries(credentialsSet.map((name) => [name, now]))
  return JSON.stringify({ ...stored?.credentials_set_at, ...marked })
}

/** Scheme, host and port. `URL.origin` would be equal for all SMPP addresses. */
function serverOf(address: string): string {
  const { protocol, host } = new URL(address)
  return `${protocol}//${host}`
}

/** Returns whether the change names another host or adapter, which must never get the stored credentials. */
function isAnotherServerOrAdapter(stored: StoredSupplier | undefined, { baseUrl }: SupplierChange, adapterName: string): boolean {
  if (!stored || stored.credentials === null) return false
  if (adapterName !== stored.adapter) return true
  if (baseUrl === undefined || stored.base_url === null) return false
  return serverOf(baseUrl) !== serverOf(stored.base_url)
}

/**
 * Adds the row.
 * @throws SupplierExistsError when somebody else has just added it
 */
async function insert(tx: Tx, row: Insertable<Tables['suppliers']>): Promise<void> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('suppliers')
    .values(row)
    .onConflict((conflict) => conflict.column('name').doNothing())
    .executeTakeFirstOrThrow()
  if (numInsertedOrUpdatedRows !== 1n) throw new SupplierExistsError(row.name)
}

/** @throws Error for an address that the adapter cannot call: the supplier could not be opened, and its orders not asked about */
function checkAddress({ checkBaseUrl }: Adapter, baseUrl: string): void {
  if (checkBaseUrl) checkBaseUrl(baseUrl)
  else if (!/^https?:/i.test(baseUrl)) throw new Error('base_url must begin with https:// for this adapter')
}

function checkSupplier(change: SupplierChange, name: string, stored: StoredSupplier | undefined) {
  if (stored && change.isNew) throw new SupplierExistsError(name)
  const { adapterName, adapter } = adapterOf(name, change, stored)
  const settings = mergeSettings(stored, change)
  try {
    adapter.checkSettings(settings)
    const baseUrl = change.baseUrl ?? (change.adapter === undefined ? undefined : stored?.base_url)
    if (baseUrl) checkAddress(adapter, baseUrl)
  } catch (error) {
    throw new SupplierChangeError(error instanceof Error ? error.message : String(error))
  }
  return { adapterName, adapter, settings }
}

export type PreparedSupplier = {
  readonly stored: StoredSupplier | undefined
  /** True when the change moves the supplier to another host or adapter, which deletes its stored credentials. */
  readonly isOther: boolean
  /** All credentials after the change. Undefined when the change sets none. */
  readonly sealed: string | undefined
}

/**
 * Locks a supplier's row and checks a change of it. Merges its credentials with the existing ones, unless the change names
 * another host or adapter.
 * @throws SupplierChangeError when there is no such adapter, a setting is wrong, or a credential is unknown
 * @throws SupplierExistsError when the supplier must be new and exists already
 */
export async function prepareSupplier(
  tx: Tx,
  keys: SecretsKeys,
  name: string,
  change: SupplierChange,
): Promise<PreparedSupplier> {
  const stored = await readStored(tx, name)
  const { adapterName, adapter } = checkSupplier(change, name, stored)
  const unknown = Object.keys(change.credentials ?? {}).filter((key) => !adapter.credentialNames.includes(key))
  if (unknown.length > 0) {
    throw new SupplierChangeError(
      `${adapterName} has no credential ${unknown.join(', ')}; it has ${adapter.credentialNames.join(', ')}.`,
    )
  }
  const isOther = isAnotherServerOrAdapter(stored, change, adapterName)
  if (!change.credentials) return { stored, isOther, sealed: undefined }
  // When the change sets all credentials, the stored ones are not unsealed. So credentials that no key unseals any more
  // can be replaced.
  const isAnyKept = !isOther && adapter.credentialNames.some((key) => change.credentials?.[key] === undefined)
  const kept = unsealCredentials(keys, name, isAnyKept ? (stored?.credentials ?? null) : null)
  return { stored, isOther, sealed: sealCredentials(keys, name, { ...kept, ...change.credentials }) }
}

type SupplierSecrets = {
  /** Sealed. Undefined: the change sets no credentials. */
  readonly credentials: string | null | undefined
  /** Names of the credentials, where `change` does not contain them. */
  readonly credentialsSet?: readonly string[]
  readonly looseningId?: string
}

/** Stores a change, which all processes use within a second, and writes it to the operator's log. */
export async function storeSupplier(
  tx: Tx,
  name: string,
  change: SupplierChange,
  actor: string,
  { credentials, credentialsSet = Object.keys(change.credentials ?? {}), looseningId }: SupplierSecrets,
): Promise<void> {
  const stored = await readStored(tx, name)
  const { adapterName, settings } = checkSupplier(change, name, stored)
  const isOther = isAnotherServerOrAdapter(stored, change, adapterName)
  const values = {
    adapter: adapterName,
    settings: JSON.stringify(settings),
    ...(credentialsSet.length === 0 || credentials === undefined
      ? isOther && { credentials: null, credentials_set_at: '{}' }
      : { credentials, credentials_set_at: markCredentials(isOther ? undefined : stored, credentialsSet) }),
    ...(change.isEnabled === undefined ? {} : { is_enabled: change.isEnabled }),
    ...(change.baseUrl === undefined ? {} : { base_url: change.baseUrl }),
    ...(change.slots === undefined ? {} : { slots: change.slots }),
    ...(change.requestsPerSecond === undefined ? {} : { requests_per_second: change.requestsPerSecond }),
  }
  if (stored) await tx.updateTable('suppliers').set(values).where('name', '=', name).execute()
  else await insert(tx, { name, ...values })
  const details = {
    ...describeChange(change, stored, { adapter: adapterName, settings }),
    ...(credentialsSet.length > 0 && { credentials: credentialsSet }),
    ...(looseningId !== undefined && { loosening_id: looseningId }),
  }
  await appendOperatorLog(tx, { actor, action: 'supplier set', subject: name, details })
  // Enabling or disabling a supplier changes which route is chosen, as a pause does.
  await raiseCatalogueVersion(tx)
}
