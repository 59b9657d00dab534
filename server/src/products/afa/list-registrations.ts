import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import { SecretUnreadableError } from '../../platform/secrets/seal-secret.ts'
import type { SecretsKeys } from '../../platform/secrets/secrets-keys.ts'
import type { AfaStatus } from './afa.schemas.ts'
import { type AfaIdentity, unsealIdentity } from './seal-identity.ts'

export type RegistrationQuery = {
  /** Only these states. */
  readonly statuses: readonly AfaStatus[]
  /** Only this one. */
  readonly reference?: string
  readonly limit: number
}

/** A registration on the operator's desk. */
export type AfaApplication = {
  readonly orderId: string
  readonly reference: string
  readonly accountId: string
  readonly status: AfaStatus
  readonly feePesewas: number
  readonly createdAt: Date
  readonly claimedBy: string | null
  /** Undefined after it was purged, or when it cannot be unsealed. */
  readonly identity: AfaIdentity | undefined
  /** True when the row was altered or moved, or its key is not given. One such row must not hide the others. */
  readonly isUnreadable: boolean
}

type Row = {
  id: string
  reference: string
  account_id: string
  status: AfaStatus
  price: number
  created_at: Date
  claimed_by: string | null
  identity: string | null
}

function openRow(keys: SecretsKeys, { id, identity }: Row): Pick<AfaApplication, 'identity' | 'isUnreadable'> {
  if (identity === null) return { identity: undefined, isUnreadable: false }
  try {
    return { identity: unsealIdentity(keys, id, identity), isUnreadable: false }
  } catch (error) {
    if (error instanceof SecretUnreadableError) return { identity: undefined, isUnreadable: true }
    throw error
  }
}

/**
 * Lists registrations, the oldest first, with the persons' data in the clear: mask it with
 * `maskIdentity` unless the operator gave a reason to see it, and log that reason.
 */
export async function listRegistrations(db: Db, keys: SecretsKeys, query: RegistrationQuery): Promise<AfaApplication[]> {
  // Found through the table of references, which has an index on the reference; `orders` has none.
  const isWanted =
    query.reference === undefined
      ? sql`true`
      : sql`orders.id in (select order_id from order_references where reference = ${query.reference} and kind = 'afa')`
  const { rows } = await sql<Row>`
    select orders.id, orders.reference, orders.account_id, orders.status, orders.price, orders.created_at,
      afa_registrations.claimed_by, afa_registrations.identity
    from orders join afa_registrations on afa_registrations.order_id = orders.id
    where orders.kind = 'afa' and orders.status = any(${query.statuses}::text[]) and ${isWanted}
    order by orders.id limit ${query.limit}`.execute(db)
  return rows.map((row) => ({
    orderId: row.id,
    reference: row.reference,
    accountId: row.account_id,
    status: row.status,
    feePesewas: row.price,
    createdAt: row.created_at,
    claimedBy: row.claimed_by,
    ...openRow(keys, row),
  }))
}

/** Shows only the last digits, which are enough to tell two cards apart. */
export function maskIdentity(identity: AfaIdentity): AfaIdentity {
  return { ...identity, id_number: `GHA-*******${identity.id_number.slice(-4)}`, date_of_birth: '****-**-**' }
}
