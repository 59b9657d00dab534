import { sql } from 'kysely'
import { orderById } from '../orders/order.ts'
import { type PushDeps, sendPushes } from '../people/push/send-pushes.ts'
import type { Db } from '../platform/database/database.ts'
import type { Timer } from '../platform/housekeeping/run-timers.ts'

/**
 * Each run reads the events since `overlapSeconds` before the last run, because an event gets its time before its transaction
 * commits. When no worker ran for a while, events older than `pauseMinutesMax` get no notice.
 */
const overlapSeconds = 10
const pauseMinutesMax = 15

/**
 * Queues push notices: of orders that were bought in the app and have ended, and of top-ups that were credited. It reads events
 * that are stored anyway, so purchases and settlements have no extra work. A cause is queued once per device.
 */
export async function queuePushes(db: Db): Promise<void> {
  await sql`
    with progress as (
      insert into push_progress (looked_until) values (clock_timestamp())
      on conflict (is_only) do update set looked_until = clock_timestamp()
      returning (select looked_until from push_progress) as before
    ), since as materialized (
      select greatest(before - make_interval(secs => ${overlapSeconds}), clock_timestamp() - make_interval(mins => ${pauseMinutesMax})) as at
      from progress
    ), device as materialized (
      select device.session_id, device.kinds, device.created_at, members.account_id
      from push_devices as device join person_sessions as session on session.id = device.session_id
      join members on members.person_id = device.person_id
      where session.expires_at > clock_timestamp()
    ), cause as (
      select orders.account_id, event.order_id as cause_id, case event.to_status when 'completed' then 'delivered' else 'failed' end as kind,
        right(orders.recipient, 3) as tail, event.created_at as at
      from order_events as event cross join ${orderById(sql`event.order_id`)}
      where event.created_at > (select at from since) and event.to_status in ('completed', 'failed', 'cancelled')
        and orders.source = 'dashboard'
      union all
      select top_ups.account_id, top_ups.id, 'credited', '', top_ups.ended_at
      from (select distinct account_id from device) as account
      join top_ups on top_ups.account_id = account.account_id and top_ups.id > first_id_at(clock_timestamp() - interval '3 days')
      where top_ups.state = 'credited' and top_ups.ended_at > (select at from since)
    )
    insert into push_notices (session_id, cause_id, kind, tail)
    select device.session_id, cause.cause_id, cause.kind, cause.tail
    from cause join device on device.account_id = cause.account_id
    where cause.kind = any(device.kinds) and cause.at > device.created_at
    on conflict do nothing`.execute(db)
}

/** True while a browser gets push notices. Without one nothing is read. */
const isPushWanted = sql<boolean>`exists (select from push_devices)`

/** The timers of push notices. A slow push service delays further notices, and nothing else. */
export function pushTimers(deps: PushDeps): Timer[] {
  return [
    { name: 'causes of push notices', everySeconds: 5, isExclusive: true, isDue: isPushWanted, run: () => queuePushes(deps.db) },
    {
      name: 'push notices',
      everySeconds: 5,
      isExclusive: true,
      isLong: true,
      isDue: sql<boolean>`exists (select from push_notices where ended_at is null)`,
      run: () => sendPushes(deps),
    },
  ]
}
