import { sql } from 'kysely'
import type { Db, Tx } from '../platform/database/database.ts'
import { appendOperatorLog } from '../platform/operator-log/append-operator-log.ts'
import { OperatorRequestError } from '../platform/operator-request-error.ts'
import type { SecretsKeys } from '../platform/secrets/secrets-keys.ts'
import { gatewayAdapters } from './gateway-adapters.ts'
import { readGatewayCredentials, sealGatewayCredentials } from './gateway-credentials.ts'

/** An operator's change of a gateway. Absent fields do not change. */
export type GatewayChange = {
  readonly isEnabled?: boolean | undefined
  readonly baseUrl?: string | undefined
  readonly credentials?: Readonly<Record<string, string>> | undefined
}

/** The message gives the possible values. */
export class GatewayChangeError extends OperatorRequestError {
  override readonly name = 'GatewayChangeError'
}

/** A gateway that is set up, without its secrets. */
export type ListedGateway = {
  readonly name: string
  readonly is_enabled: boolean
  readonly base_url: string
  readonly credentials_set: readonly string[]
  /** True when the row was altered or moved, or its key is not given. One such row must not hide the others. */
  readonly is_unreadable: boolean
}

export async function listGateways(db: Db, keys: SecretsKeys): Promise<ListedGateway[]> {
  const rows = await db.selectFrom('gateways').selectAll().orderBy('name').execute()
  return rows.map(({ name, is_enabled, base_url, credentials: sealed }) => {
    const credentials = readGatewayCredentials(keys, name, sealed)
    return {
      name,
      is_enabled,
      base_url,
      credentials_set: Object.keys(credentials ?? {}),
      is_unreadable: credentials === undefined,
    }
  })
}

type GatewayRow = { readonly is_enabled: boolean; readonly base_url: string; readonly credentials: string }

/**
 * Locks a gateway's row and calculates the row after a change. Stored credentials that cannot be unsealed count as none, so
 * the gateway can be set up again.
 *
 * @throws GatewayChangeError when there is no such gateway, a credential would be missing, or one is not the gateway's
 */
export async function prepareGateway(
  tx: Tx,
  keys: SecretsKeys,
  name: string,
  change: GatewayChange,
): Promise<{ readonly before: GatewayRow | undefined; readonly row: GatewayRow }> {
  const adapter = gatewayAdapters.find((known) => known.name === name)
  if (!adapter) {
    throw new GatewayChangeError(`There is no gateway ${name}; known: ${gatewayAdapters.map((known) => known.name).join(', ')}.`)
  }
  const before = await tx.selectFrom('gateways').selectAll().where('name', '=', name).forUpdate().executeTakeFirst()
  const kept = before && readGatewayCredentials(keys, name, before.credentials)
  const credentials = { ...kept, ...change.credentials }
  const wrong = Object.keys(credentials).find((each) => !adapter.credentialNames.includes(each))
  const missing = adapter.credentialNames.find((each) => (credentials[each] ?? '') === '')
  if (wrong !== undefined || missing !== undefined) {
    throw new GatewayChangeError(`The credentials of ${name} are ${adapter.credentialNames.join(', ')}.`)
  }
  const row = {
    is_enabled: change.isEnabled ?? before?.is_enabled ?? true,
    base_url: change.baseUrl ?? before?.base_url ?? adapter.baseUrl,
    credentials: sealGatewayCredentials(keys, name, credentials),
  }
  return { before, row }
}

type GatewayAct = {
  readonly actor: string
  readonly reason?: string | undefined
  readonly credentialsSet: readonly string[]
  readonly looseningId?: string
}

/** Stores a gateway's row, and records the change in the operator's log. */
export async function storeGateway(
  tx: Tx,
  name: string,
  row: GatewayRow,
  { actor, reason, credentialsSet, looseningId }: GatewayAct,
): Promise<void> {
  const before = await tx.selectFrom('gateways').selectAll().where('name', '=', name).forUpdate().executeTakeFirst()
  const values = { ...row, updated_at: sql<Date>`clock_timestamp()` }
  await tx
    .insertInto('gateways')
    .values({ name, ...values })
    .onConflict((conflict) => conflict.column('name').doUpdateSet(values))
    .execute()
  await appendOperatorLog(tx, {
    actor,
    action: 'gateway set',
    subject: name,
    details: {
      ...(reason !== undefined && { reason }),
      before: before ? { enabled: before.is_enabled, base_url: before.base_url } : null,
      after: { enabled: row.is_enabled, base_url: row.base_url },
      // Only the names of the credentials. The credentials themselves are never shown.
      credentials_set: credentialsSet,
      ...(looseningId !== undefined && { loosening_id: looseningId }),
    },
  })
}
