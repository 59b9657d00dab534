import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/database.ts'
import { rowsOf } from '../../platform/database/rows-of.ts'
import type { EventType } from './event-types.ts'

export type WebhookEvent = {
  readonly accountId: string
  readonly type: EventType
  /** A text for the thing that changed, such as the id of an order. Events with the same subject reach an endpoint in order. */
  readonly subject: string
  /** The `data` of the request. It holds no number of a recipient, and no secret. */
  readonly data: Readonly<Record<string, unknown>>
}

/**
 * Writes the events that an endpoint of their account asked for, each with a delivery per endpoint.
 *
 * @param events a statement that selects account_id, type, subject, data, happened_at, and `place`, which gives their sequence
 */
export async function insertWebhookEvents(tx: Db | Tx, events: RawBuilder<unknown>): Promise<void> {
  const isWanted = sql`endpoint.account_id = event.account_id and event.type = any(endpoint.events)
    and event.happened_at >= endpoint.created_at`
  await sql`
    with event as materialized (${events}),
    numbered as materialized (
      select nextval('webhook_events_event_no_seq') as event_no, ordered.*
      from (select * from event where exists (select from webhook_endpoints as endpoint where ${isWanted}) order by place) as ordered
    ), written as (
      insert into webhook_events (event_no, account_id, type, data, happened_at)
      select event_no, account_id, type, data, happened_at from numbered
    )
    insert into webhook_deliveries (endpoint_id, event_no, subject)
    select endpoint.id, event.event_no, event.subject
    from numbered as event join webhook_endpoints as endpoint on ${isWanted}`.execute(tx)
}

/** Writes events in the transaction of the changes that they report. For accounts without endpoints it writes nothing. */
export async function queueWebhookEvents(tx: Tx, events: readonly WebhookEvent[]): Promise<void> {
  if (events.length === 0) return
  const rows = rowsOf(events, {
    place: ['integer', (event) => events.indexOf(event)],
    account_id: ['uuid', (event) => event.accountId],
    type: ['text', (event) => event.type],
    subject: ['text', (event) => event.subject],
    data: ['text', (event) => JSON.stringify(event.data)],
  })
  await insertWebhookEvents(
    tx,
    sql`select given.place, given.account_id, given.type, given.subject, given.data::json as data, clock_timestamp() as happened_at
      from ${rows.as('given')}`,
  )
}

/** Writes an event for every account with an endpoint that asked for it. */
export async function queueForAllAccounts(tx: Tx, { type, subject, data }: Omit<WebhookEvent, 'accountId'>): Promise<void> {
  await insertWebhookEvents(
    tx,
    sql`select 0 as place, endpoint.account_id, ${type}::text as type, ${subject}::text as subject,
      ${JSON.stringify(data)}::text::json as data, clock_timestamp() as happened_at
      from (select distinct account_id from webhook_endpoints) as endpoint`,
  )
}
