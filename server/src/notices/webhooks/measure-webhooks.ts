import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import type { Metrics } from '../../platform/metrics/open-metrics.ts'
import type { Try } from './post-webhook.ts'

/** The endpoints of all accounts in one state, counted, with their waiting events. */
export type WebhookState = {
  readonly state: 'answering' | 'failing' | 'paused'
  readonly endpoints: number
  /** Events that wait, counted up to 1,000 for each endpoint. */
  readonly waiting: number
  /** The wait of the oldest event that may be sent now; 0 for paused endpoints. */
  readonly overdueSeconds: number
}

/** Counts the endpoints of all accounts by state. A pause after a failure does not count as overdue. */
export async function readWebhookStates(db: Db): Promise<WebhookState[]> {
  const { rows } = await sql<WebhookState>`
    select case when state = 'paused' then 'paused' when failures > 0 then 'failing' else 'answering' end as state,
      count(*)::integer as endpoints, sum(waiting)::integer as waiting,
      coalesce(max(extract(epoch from clock_timestamp() - greatest(first_due, next_try_at)))
        filter (where state = 'active' and greatest(first_due, next_try_at) < clock_timestamp() and first_due is not null), 0)::float8
        as "overdueSeconds"
    from webhook_endpoints as endpoint cross join lateral (
      select count(*) as waiting, min(delivery.next_try_at) as first_due from (
        select next_try_at from webhook_deliveries
        where endpoint_id = endpoint.id and state = 'waiting' order by next_try_at limit 1000) as delivery
    ) as own
    group by 1`.execute(db)
  return rows
}

/** Measures the endpoints, their events that wait, and how late the sender is. */
export function measureWebhooks(metrics: Metrics, db: Db): () => Promise<void> {
  const endpoints = metrics.gauge('makola_webhook_endpoints', 'Webhook endpoints by their state.', ['state'])
  const waiting = metrics.gauge('makola_webhook_events_waiting', 'Events that wait, up to 1,000 for each endpoint.', ['state'])
  const overdue = metrics.gauge('makola_webhook_overdue_seconds', 'How long the longest waits that may be sent now.', ['state'])
  return async () => {
    const rows = await readWebhookStates(db)
    for (const gauge of [endpoints, waiting, overdue]) gauge.reset()
    for (const { state, ...row } of rows) {
      endpoints.set({ state }, row.endpoints)
      waiting.set({ state }, row.waiting)
      overdue.set({ state }, row.overdueSeconds)
    }
  }
}

/** Counts requests by how they ended. */
export function countWebhookTries(metrics: Metrics): (tried: Try) => void {
  const tries = metrics.counter('makola_webhook_requests_total', 'Requests to webhook endpoints, by how they ended.', ['outcome'])
  return ({ isTaken, status }) => tries.inc({ outcome: isTaken ? 'taken' : status === null ? 'unanswered' : 'refused' })
}
