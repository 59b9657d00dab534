import { isIP } from 'node:net'
import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/new-id.ts'
import { RefusalError } from '../../platform/http/refusals.ts'
import { appendOperatorLog } from '../../platform/operator-log/append-operator-log.ts'
import { isPublicAddress } from '../../platform/outgoing/public-addresses.ts'
import type { SealedColumn } from '../../platform/secrets/rotate-secrets.ts'
import { sealSecret } from '../../platform/secrets/seal-secret.ts'
import type { SecretsKeys } from '../../platform/secrets/secrets-keys.ts'
import { type EventType, testEvent } from './event-types.ts'
import { makeWebhookSecret } from './post-webhook.ts'
import { webhookRefusals } from './webhook-refusals.ts'
import type { PauseReason } from './webhooks.tables.ts'

const place = { table: 'webhook_endpoints', idColumn: 'id', idType: 'uuid' } as const
export const secretColumn = { ...place, column: 'secret' } as const satisfies SealedColumn
export const previousSecretColumn = {
  ...place,
  column: 'previous_secret',
  sealedFor: secretColumn,
} as const satisfies SealedColumn

/**
 * The encrypted columns of this folder, for the rotation of keys. A previous secret keeps the encryption that it had as
 * `secret`.
 */
export const sealedWebhookColumns: readonly SealedColumn[] = [secretColumn, previousSecretColumn]

export const endpointsMax = 10

/** For so long after a change of the secret, requests are signed with the old secret, too. */
export const overlapHours = 24

export type Endpoint = {
  readonly endpointId: string
  readonly accountId: string
  readonly url: string
  readonly events: readonly EventType[]
  readonly state: 'active' | 'paused'
  readonly pauseReason: PauseReason | null
  readonly createdAt: Date
  /** Until then requests are signed with the previous secret, too. Null: only with the present one. */
  readonly previousSecretUntil: Date | null
  readonly failures: number
  readonly nextTryAt: Date
  /** Events that wait, counted up to 1,000. */
  readonly waiting: number
  readonly lastDeliveredAt: Date | null
}

const endpointColumns = sql`
  endpoint.id as "endpointId", endpoint.account_id as "accountId", endpoint.url, endpoint.events, endpoint.state,
  endpoint.pause_reason as "pauseReason", endpoint.created_at as "createdAt", endpoint.failures, endpoint.next_try_at as "nextTryAt",
  endpoint.delivered_at as "lastDeliveredAt",
  case when endpoint.previous_secret_until > clock_timestamp() then endpoint.previous_secret_until end as "previousSecretUntil",
  (select count(*) from (select from webhook_deliveries
    where endpoint_id = endpoint.id and state = 'waiting' limit 1000) as waiting)::integer as waiting`

export async function listEndpoints(db: Db, accountId: string): Promise<Endpoint[]> {
  const { rows } = await sql<Endpoint>`
    select ${endpointColumns} from webhook_endpoints as endpoint where account_id = ${accountId} order by id`.execute(db)
  return rows
}

/** @throws RefusalError 404; if an account is named, also for an endpoint of another account */
export async function readEndpoint(db: Db | Tx, endpointId: string, accountId?: string): Promise<Endpoint> {
  const { rows } = await sql<Endpoint>`
    select ${endpointColumns} from webhook_endpoints as endpoint
    where id = ${endpointId} and (${accountId ?? null}::uuid is null or account_id = ${accountId ?? null})`.execute(db)
  const [endpoint] = rows
  if (!endpoint) throw new RefusalError(webhookRefusals.endpointNotFound)
  return endpoint
}

/**
 * Checks an address before it is stored. A host name is resolved and checked only when something is sent.
 * @throws RefusalError 400 with the reason
 */
function checkUrl(text: string, isLive: boolean): string {
  const refused = (why: string) => new RefusalError(webhookRefusals.addressNotAllowed(why))
  if (!URL.canParse(text)) throw refused('This is not an address: it begins with https://')
  const url = new URL(text)
  if (url.protocol !== 'https:' && (isLive || url.protocol !== 'http:')) throw refused('The address must begin with https://')
  if (url.username !== '' || url.password !== '') throw refused('The address must hold no password: requests are signed instead.')
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  if (isLive && isIP(host) !== 0 && !isPublicAddress(host)) throw refused('The address is not one of the public internet.')
  url.hash = ''
  return url.href
}

export type EndpointRequest = { readonly accountId: string; readonly url: string; readonly events: readonly EventType[] }
type Made = { readonly endpointId: string; readonly secret: string }
type MakeOptions = { readonly secretsKeys: SecretsKeys; readonly isLive: boolean; readonly actor: string }

/**
 * Makes an endpoint. It gets the events of its account from this moment on.
 * @returns its secret, which nothing shows again
 * @throws RefusalError 400 for the address, 409 for too many
 */
export async function makeEndpoint(tx: Tx, request: EndpointRequest, options: MakeOptions): Promise<Made> {
  const { accountId } = request
  const url = checkUrl(request.url, options.isLive)
  await sql`select pg_advisory_xact_lock(hashtextextended(${`webhooks of ${accountId}`}, 0))`.execute(tx)
  const { rows } = await sql<{ own: number; all: boolean }>`
    select (select count(*) from webhook_endpoints where account_id = ${accountId})::integer as own,
      exists (select from webhook_endpoints) as all`.execute(tx)
  if ((rows[0]?.own ?? 0) >= endpointsMax) throw new RefusalError(webhookRefusals.tooManyEndpoints)
  // This is the first endpoint of all accounts, so it needs no events from before this moment.
  if (!rows[0]?.all) {
    await sql`insert into webhook_progress (seen, seen_at) values (pg_current_snapshot(), now())
      on conflict (is_only) do update set seen = excluded.seen, seen_at = excluded.seen_at`.execute(tx)
  }
  const endpointId = newId()
  const secret = makeWebhookSecret()
  const sealed = sealSecret(options.secretsKeys, secret, { ...secretColumn, rowId: endpointId })
  await tx
    .insertInto('webhook_endpoints')
    .values({ id: endpointId, account_id: accountId, url, events: [...new Set(request.events)], secret: sealed })
    .execute()
  await log(tx, options.actor, 'webhook make', endpointId, {
    account_id: accountId,
    host: new URL(url).host,
    events: request.events,
  })
  return { endpointId, secret }
}

const log = (tx: Tx, actor: string, action: string, subject: string, details: Record<string, unknown>) =>
  appendOperatorLog(tx, { actor, action, subject, details })

/** For the log, which is kept for ever: only the host, because the path of an address may hold a secret. */
const hostAndEvents = ({ url, events }: Pick<Endpoint, 'url' | 'events'>) => ({ host: new URL(url).host, events })

/**
 * Makes waiting events due at once. An endpoint that failed still counts as failing until it accepts an event. So nobody can
 * move an endpoint that hangs to the healthy ones by changing its address.
 */
async function tryAgainNow(tx: Tx, endpointId: string): Promise<void> {
  await sql`update webhook_endpoints set next_try_at = now(), failures = least(failures, 1) where id = ${endpointId}`.execute(tx)
  await sql`update webhook_deliveries set next_try_at = now()
    where endpoint_id = ${endpointId} and state = 'waiting' and next_try_at > now()`.execute(tx)
}

type Change = { readonly endpointId: string; readonly actor: string }

/**
 * Changes an endpoint's address and the events that it gets. @throws RefusalError 400 for the address, 404 for no such endpoint
 */
export async function changeEndpoint(
  tx: Tx,
  { endpointId, actor, isLive, ...wanted }: Change & Omit<EndpointRequest, 'accountId'> & { readonly isLive: boolean },
): Promise<void> {
  const url = checkUrl(wanted.url, isLive)
  const before = await readEndpoint(tx, endpointId)
  await tx
    .updateTable('webhook_endpoints')
    .set({ url, events: [...new Set(wanted.events)] })
    .where('id', '=', endpointId)
    .execute()
  await tryAgainNow(tx, endpointId)
  const details = { account_id: before.accountId, before: hostAndEvents(before), after: hostAndEvents({ ...wanted, url }) }
  await log(tx, actor, 'webhook change', endpointId, details)
}

/**
 * Gives an endpoint a new secret. The old one signs, too, for `overlapHours`.
 * @returns the new one, which is never shown again
 */
export async function rotateSecret(
  tx: Tx,
  { endpointId, actor, secretsKeys }: Change & Pick<MakeOptions, 'secretsKeys'>,
): Promise<Made> {
  const { accountId } = await readEndpoint(tx, endpointId)
  const secret = makeWebhookSecret()
  const sealed = sealSecret(secretsKeys, secret, { ...secretColumn, rowId: endpointId })
  await sql`
    update webhook_endpoints
    set previous_secret = secret, previous_secret_until = clock_timestamp() + make_interval(hours => ${overlapHours}), secret = ${sealed}
    where id = ${endpointId}`.execute(tx)
  await log(tx, actor, 'webhook rotate', endpointId, { account_id: accountId })
  return { endpointId, secret }
}

/** Removes an endpoint with its deliveries. */
export async function removeEndpoint(tx: Tx, { endpointId, actor }: Change): Promise<void> {
  const { accountId, url } = await readEndpoint(tx, endpointId)
  await tx.deleteFrom('webhook_endpoints').where('id', '=', endpointId).execute()
  await log(tx, actor, 'webhook remove', endpointId, { account_id: accountId, host: new URL(url).host })
}

/**
 * Pauses an endpoint. Its events are kept for 30 days, and sent when it is resumed. @returns false when it was paused already
 */
export async function pauseEndpoint(
  tx: Tx,
  { endpointId, actor, reason }: Change & { readonly reason: PauseReason },
): Promise<boolean> {
  const { accountId, state } = await readEndpoint(tx, endpointId)
  if (state === 'paused') return false
  await tx.updateTable('webhook_endpoints').set({ state: 'paused', pause_reason: reason }).where('id', '=', endpointId).execute()
  await log(tx, actor, 'webhook pause', endpointId, { account_id: accountId, reason })
  return true
}

/** Resumes a paused endpoint, and makes its waiting events due at once. */
export async function resumeEndpoint(tx: Tx, { endpointId, actor }: Change): Promise<void> {
  const { accountId, state } = await readEndpoint(tx, endpointId)
  if (state === 'active') return
  await sql`
    update webhook_endpoints set state = 'active', pause_reason = null, active_since = clock_timestamp()
    where id = ${endpointId}`.execute(tx)
  await tryAgainNow(tx, endpointId)
  await log(tx, actor, 'webhook resume', endpointId, { account_id: accountId })
}

/** Queues a test event for one endpoint, whatever events it asked for. */
export async function queueTestEvent(
  tx: Tx,
  { endpointId, accountId }: Pick<Endpoint, 'endpointId' | 'accountId'>,
): Promise<void> {
  await sql`
    with written as (
      insert into webhook_events (account_id, type, data, happened_at)
      values (${accountId}, ${testEvent}, ${JSON.stringify({ message: 'This is a test.' })}, clock_timestamp()) returning event_no
    )
    insert into webhook_deliveries (endpoint_id, event_no, subject) select ${endpointId}, event_no, 'test' from written`.execute(
    tx,
  )
}
