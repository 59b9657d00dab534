import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/database.ts'
import { type Forgetting, rowsPerStep } from '../../platform/forgetting/forget-old-data.ts'
import { RefusalError } from '../../platform/http/refusals.ts'
import { pageOf } from '../../platform/page-of.ts'
import type { EventName } from './event-types.ts'
import { webhookRefusals } from './webhook-refusals.ts'

export type Delivery = {
  readonly eventId: string
  readonly type: EventName
  readonly happenedAt: Date
  readonly state: 'waiting' | 'delivered'
  readonly tries: number
  readonly triedAt: Date | null
  readonly nextTryAt: Date | null
  readonly milliseconds: number | null
  readonly status: number | null
  readonly failure: string | null
}

export type DeliveryInFull = Delivery & {
  /** The exact body of the request. */
  readonly request: string
  readonly answer: string | null
}

const columns = sql`
  event.id as "eventId", event.type, event.happened_at as "happenedAt", delivery.state, delivery.tries, delivery.tried_at as "triedAt",
  case when delivery.state = 'waiting' then delivery.next_try_at end as "nextTryAt", delivery.milliseconds, delivery.status,
  delivery.failure`

export type DeliveryQuery = {
  readonly endpointId: string
  readonly state?: 'waiting' | 'delivered' | undefined
  /** The `next` of the page before. */
  readonly after?: string | undefined
  readonly limit: number
}

/** Lists what was sent to an endpoint and what waits, newest first. */
export async function listDeliveries(
  db: Db,
  { endpointId, state, after, limit }: DeliveryQuery,
): Promise<{ deliveries: Delivery[]; next: string | null }> {
  const list = async (count: number) => {
    const { rows } = await sql<Delivery & { cursor: string }>`
      select ${columns}, delivery.event_no::text as cursor
      from webhook_deliveries as delivery join webhook_events as event using (event_no)
      where delivery.endpoint_id = ${endpointId} and (${state ?? null}::text is null or delivery.state = ${state ?? null})
        and (${after ?? null}::bigint is null or delivery.event_no < ${after ?? null})
      order by delivery.event_no desc limit ${count}`.execute(db)
    return rows
  }
  const { rows, next } = await pageOf(limit, list, ({ cursor }) => cursor)
  return { deliveries: [...rows], next }
}

type EventOfEndpoint = { readonly endpointId: string; readonly eventId: string }

/** The body of a request (Standard Webhooks): what happened, when, and about what. */
export const bodyOf = ({ type, happenedAt, data }: { type: string; happenedAt: Date; data: unknown }): string =>
  JSON.stringify({ type, timestamp: happenedAt.toISOString(), data })

/** @throws RefusalError 404 when the endpoint has no such delivery */
export async function readDelivery(db: Db, { endpointId, eventId }: EventOfEndpoint): Promise<DeliveryInFull> {
  const { rows } = await sql<Delivery & { data: unknown; answer: string | null }>`
    select ${columns}, event.data, delivery.answer
    from webhook_events as event join webhook_deliveries as delivery using (event_no)
    where delivery.endpoint_id = ${endpointId} and event.id = ${eventId}`.execute(db)
  const [row] = rows
  if (!row) throw new RefusalError(webhookRefusals.deliveryNotFound)
  const { data, ...delivery } = row
  return { ...delivery, request: bodyOf({ ...row, data }) }
}

/** Sends an event to an endpoint once more. @throws RefusalError 404 when the endpoint has no such delivery */
export async function resendDelivery(tx: Tx, { endpointId, eventId }: EventOfEndpoint): Promise<void> {
  const { numAffectedRows = 0n } = await sql`
    update webhook_deliveries as delivery set state = 'waiting', next_try_at = now(),
      queued_at = case delivery.state when 'waiting' then delivery.queued_at else now() end
    from webhook_events as event
    where event.event_no = delivery.event_no and event.id = ${eventId} and delivery.endpoint_id = ${endpointId}`.execute(tx)
  if (numAffectedRows === 0n) throw new RefusalError(webhookRefusals.deliveryNotFound)
}

/** The most deliveries of one replay, so that the request is answered in time. */
export const replayMax = 10_000

/**
 * Queues again the delivered events that happened since `from`, oldest first, at most `replayMax` events.
 * @returns `next`: the `from` with which to go on; null: no events are left
 */
export async function replayDeliveries(
  tx: Tx,
  { endpointId, from }: { readonly endpointId: string; readonly from: Date },
): Promise<{ replayed: number; next: Date | null }> {
  const { rows } = await sql<{ replayed: number; last: Date | null }>`
    with chosen as (
      select delivery.event_no, event.happened_at
      from webhook_deliveries as delivery join webhook_events as event using (event_no)
      where delivery.endpoint_id = ${endpointId} and delivery.state = 'delivered' and event.happened_at >= ${from}
      order by event.happened_at, delivery.event_no limit ${replayMax}
    ), changed as (
      update webhook_deliveries as delivery set state = 'waiting', next_try_at = now(), queued_at = now()
      from chosen where delivery.endpoint_id = ${endpointId} and delivery.event_no = chosen.event_no
    )
    select count(*)::integer as replayed, max(happened_at) as last from chosen`.execute(tx)
  const { replayed, last } = rows[0] ?? { replayed: 0, last: null }
  return { replayed, next: replayed === replayMax ? last : null }
}

const keptDays = 30

async function removeOld(tx: Tx, table: RawBuilder<unknown>): Promise<{ count: number; isMore: boolean }> {
  const { numAffectedRows = 0n } = await sql`
    delete from ${table} where ctid = any (array(
      select ctid from ${table} where created_at < clock_timestamp() - make_interval(days => ${keptDays}) limit ${rowsPerStep}))`.execute(
    tx,
  )
  return { count: Number(numAffectedRows), isMore: numAffectedRows === BigInt(rowsPerStep) }
}

/** Removes events and deliveries after 30 days, those of paused endpoints too. */
export const forgettingsOfWebhooks: readonly Forgetting[] = [
  { name: 'webhook deliveries', step: (tx) => removeOld(tx, sql`webhook_deliveries`) },
  { name: 'webhook events', step: (tx) => removeOld(tx, sql`webhook_events`) },
]
