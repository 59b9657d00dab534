import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'

/** An endpoint that this worker alone sends to, until its lease ends. */
export type ClaimedEndpoint = {
  readonly id: string
  readonly account_id: string
  readonly url: string
  readonly secret: string
  /** Signs requests in addition to `secret`. Null: only `secret` signs. */
  readonly previous_secret: string | null
  readonly lease_no: number
  readonly failures: number
  readonly is_slow: boolean
}

/** Longer than a worker sends to an endpoint after one claim, with the wait for the slowest answer. */
const leaseSeconds = 60

/** True while something waits for an endpoint that may be tried now. */
export const isWebhookDue = sql<boolean>`exists (
  select from webhook_endpoints as endpoint
  where endpoint.state = 'active' and endpoint.next_try_at <= clock_timestamp() and endpoint.lease_until <= clock_timestamp()
    and exists (select from webhook_deliveries as delivery
      where delivery.endpoint_id = endpoint.id and delivery.state = 'waiting' and delivery.next_try_at <= clock_timestamp()))`

export type ClaimLimits = { readonly healthy: number; readonly failing: number }

/**
 * Claims endpoints with something to send. Endpoints that failed or were slow in their last round have separate `places`, so
 * that the others do not wait for those that hang. The lock leaves out the key, so that other transactions can write events for
 * an endpoint meanwhile.
 */
export async function claimEndpoints(db: Db, places: ClaimLimits): Promise<ClaimedEndpoint[]> {
  const due = (isHealthy: boolean, limit: number) => sql`(
    select id from webhook_endpoints as endpoint
    where state = 'active' and (failures = 0 and not is_slow) = ${isHealthy} and next_try_at <= clock_timestamp() and lease_until <= clock_timestamp()
      and exists (select from webhook_deliveries as delivery
        where delivery.endpoint_id = endpoint.id and delivery.state = 'waiting' and delivery.next_try_at <= clock_timestamp())
    order by next_try_at limit ${limit} for no key update skip locked)`
  const { rows } = await sql<ClaimedEndpoint>`
    with healthy as ${due(true, places.healthy)}, failing as ${due(false, places.failing)}
    update webhook_endpoints as endpoint
    set lease_until = clock_timestamp() + make_interval(secs => ${leaseSeconds}), lease_no = lease_no + 1
    where id in (select id from healthy union all select id from failing)
    returning id, account_id, url, secret, case when previous_secret_until > clock_timestamp() then previous_secret end as previous_secret,
      lease_no, failures, is_slow`.execute(db)
  return rows
}

/**
 * Ends the lease, unless another worker has the endpoint now. Nothing is sent to the endpoint for `pauseSeconds`. If its owner has
 * changed the address meanwhile, the new one is tried at once. It counts as failing where the old one failed, as `changeEndpoint`
 * has it.
 */
export async function releaseEndpoint(
  db: Db,
  { id, lease_no: leaseNo, url }: ClaimedEndpoint,
  round: { readonly failures: number; readonly isSlow: boolean; readonly hasDelivered: boolean; readonly pauseSeconds: number },
): Promise<void> {
  const { failures, isSlow, hasDelivered, pauseSeconds } = round
  await sql`
    update webhook_endpoints set lease_until = '-infinity', is_slow = ${isSlow},
      failures = case when url = ${url} then ${failures}::integer else least(${failures}::integer, 1) end,
      delivered_at = case when ${hasDelivered} then clock_timestamp() else delivered_at end,
      next_try_at = case when url = ${url} then clock_timestamp() + make_interval(secs => ${pauseSeconds}) else next_try_at end
    where id = ${id} and lease_no = ${leaseNo}`.execute(db)
}
