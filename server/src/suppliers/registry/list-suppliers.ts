import type { Db } from '../../platform/database/database.ts'
import type { SecretsKeys } from '../../platform/secrets/secrets-keys.ts'
import { adapters } from '../adapters.ts'
import { evidenceOf } from '../calling/evidence.ts'
import { unsealCredentials } from './supplier-credentials.ts'

/** A supplier as an operator sees it, with only the names of its credentials. */
export type ListedSupplier = {
  readonly name: string
  readonly adapter: string
  readonly enabled: boolean
  readonly base_url: string | null
  readonly slots: number
  readonly requests_per_second: number | null
  readonly settings: Record<string, unknown>
  readonly credentials_set: readonly string[]
  readonly credentials_missing: readonly string[]
  /** When each credential was set, by name, where known. */
  readonly credentials_set_at: Readonly<Record<string, string>>
  /** GHS. */
  readonly float: number | null
  readonly float_read_at: string | null
}

function credentialNames(keys: SecretsKeys, name: string, sealed: string | null): string[] {
  try {
    return Object.keys(unsealCredentials(keys, name, sealed))
  } catch (error) {
    return [evidenceOf(`unreadable: ${error instanceof Error ? error.message : String(error)}`)]
  }
}

export async function listSuppliers(db: Db, keys: SecretsKeys): Promise<ListedSupplier[]> {
  const rows = await db.selectFrom('suppliers').selectAll().orderBy('name').execute()
  return rows.map((row) => {
    const set = credentialNames(keys, row.name, row.credentials)
    const needed = Object.hasOwn(adapters, row.adapter) ? (adapters[row.adapter]?.credentialNames ?? []) : []
    return {
      name: row.name,
      adapter: row.adapter,
      enabled: row.is_enabled,
      base_url: row.base_url,
      slots: row.slots,
      requests_per_second: row.requests_per_second,
      settings: row.settings,
      credentials_set: set,
      credentials_missing: needed.filter((each) => !set.includes(each)),
      credentials_set_at: row.credentials_set_at,
      float: row.float_pesewas === null ? null : row.float_pesewas / 100,
      float_read_at: row.float_read_at?.toISOString() ?? null,
    }
  })
}
