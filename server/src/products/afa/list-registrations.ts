import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import { mapInPieces } from '../../platform/in-pieces.ts'
import { SecretUnreadableError } from '../../platform/secrets/seal-secret.ts'
import type { SecretsKeys } from '../../platform/secrets/secrets-keys.ts'
import { afaRoute } from './afa.kind.ts'
import type { AfaStatus } from './afa.schemas.ts'
import { type AfaIdentity, unsealIdentity } from './seal-identity.ts'

export type RegistrationQuery = {
  readonly statuses: readonly AfaStatus[]
  readonly reference?: string
  /** Only registrations that this person has claimed. `claimedByOthersThan`: only those that somebody else has claimed. */
  readonly claimedBy?: string
  readonly claimedByOthersThan?: string
  /** Newest first instead of oldest first. */
  readonly isNewestFirst?: boolean
  /** The id of the last order on the page before. */
  readonly after?: string
  readonly limit: number
}

export type AfaApplication = {
  readonly orderId: string
  readonly reference: string
  readonly accountId: string
  readonly accountName: string
  readonly status: AfaStatus
  readonly feePesewas: number
  readonly createdAt: Date
  readonly claimedBy: string | null
  readonly claimedAt: Date | null
  readonly movedAt: Date
  /** The applicant's data. Undefined: it was deleted, or cannot be unsealed. */
  readonly identity: AfaIdentity | undefined
  /**
   * True when the row was altered or moved, or its key is not given. The row is listed without its data, so that it does not
   * hide the others.
   */
  readonly isUnreadable: boolean
}

type Row = {
  id: string
  reference: string
  account_id: string
  account_name: string
  status: AfaStatus
  price: number
  created_at: Date
  claimed_by: string | null
  claimed_at: Date | null
  updated_at: Date
  identity: string | null
}

function unsealRow(keys: SecretsKeys, { id, identity }: Row): Pick<AfaApplication, 'identity' | 'isUnreadable'> {
  if (identity === null) return { identity: undefined, isUnreadable: false }
  try {
    return { identity: unsealIdentity(keys, id, identity), isUnreadable: false }
  } catch (error) {
    if (error instanceof SecretUnreadableError) return { identity: undefined, isUnreadable: true }
    throw error
  }
}

/** Searches open registrations in `open_orders`, which stays short however many have ended. */
function isInState(statuses: readonly AfaStatus[]) {
  const isOpen = statuses.every((status) => status === 'pending' || status === 'processing')
  const isScheduled = sql`orders.id in (select order_id from open_orders where route = ${afaRoute})`
  return sql`orders.status = any(${statuses}::text[]) and ${isOpen ? isScheduled : sql`true`}`
}

/**
 * Lists registrations, by default the oldest first, with the applicants' data in the clear. Mask the data with `maskIdentity`
 * unless the operator gave a reason to see them, and log that reason.
 */
export async function listRegistrations(db: Db, keys: SecretsKeys, query: RegistrationQuery): Promise<AfaApplication[]> {
  // The order is found by the table of references, because no index of `orders` has the references of registrations.
  const isWanted =
    query.reference === undefined
      ? sql`true`
      : sql`orders.id in (select order_id from order_references where reference = ${query.reference} and kind = 'afa')`
  const { claimedBy = null, claimedByOthersThan: notBy = null, after = null, isNewestFirst = false } = query
  const { rows } = await sql<Row>`
    select orders.id, orders.reference, orders.account_id, accounts.name as account_name, orders.status, orders.price,
      orders.created_at, orders.updated_at, claimed_by, claimed_at, identity
    from afa_registrations join orders on orders.id = order_id join accounts on accounts.id = account_id
    where orders.kind = 'afa' and ${isInState(query.statuses)} and ${isWanted}
      and (${claimedBy}::text is null or claimed_by = ${claimedBy})
      and (${notBy}::text is null or claimed_by <> ${notBy})
      and (${after}::uuid is null or order_id ${isNewestFirst ? sql`<` : sql`>`} ${after}::uuid)
    order by order_id ${isNewestFirst ? sql`desc` : sql`asc`} limit ${query.limit}`.execute(db)
  return mapInPieces(rows, (row) => ({
    orderId: row.id,
    reference: row.reference,
    accountId: row.account_id,
    accountName: row.account_name,
    status: row.status,
    feePesewas: row.price,
    createdAt: row.created_at,
    claimedBy: row.claimed_by,
    claimedAt: row.claimed_at,
    movedAt: row.updated_at,
    ...unsealRow(keys, row),
  }))
}

/** Hides the date of birth, and all but the end of the card's number, which is enough to distinguish two cards. */
export function maskIdentity(identity: AfaIdentity): AfaIdentity {
  return { ...identity, id_number: `GHA-*******${identity.id_number.slice(-4)}`, date_of_birth: '****-**-**' }
}
