import { type RawBuilder, sql } from 'kysely'
import { Agent } from 'undici'
import { notifyAccounts } from '../accounts/notices/notify-accounts.ts'
import { webhookPausedNotice } from '../accounts/notices/webhook-notices.ts'
import { isWebhookDue } from '../notices/webhooks/claim-endpoints.ts'
import { messagesPerEvent } from '../notices/webhooks/event-types.ts'
import { countWebhookTries } from '../notices/webhooks/measure-webhooks.ts'
import { insertWebhookEvents } from '../notices/webhooks/queue-webhook-events.ts'
import { openWebhookSender, type WebhookSenderDeps } from '../notices/webhooks/send-webhooks.ts'
import { orderById } from '../orders/order.ts'
import type { ProductFacts } from '../orders/product-facts.ts'
import type { Db } from '../platform/database/database.ts'
import type { Timer } from '../platform/housekeeping/run-timers.ts'
import type { Metrics } from '../platform/metrics/open-metrics.ts'
import { openPublicAgent } from '../platform/outgoing/public-addresses.ts'

const jsonMoment = (column: RawBuilder<unknown>) => sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** The columns of an order that an event holds; `status` is the one that the event reports. The recipient is left out. */
const orderData = (status: RawBuilder<unknown>, creditKinds: readonly string[]) => sql`json_build_object(
  'order_id', orders.id, 'reference', orders.reference, 'product', orders.kind, 'status', ${status},
  'network', coalesce(orders.details ->> 'network', orders.details ->> 'biller'),
  'package', coalesce(orders.details ->> 'size', orders.details ->> 'typeName'),
  'price', case when orders.kind = any(${creditKinds}::text[]) then orders.price else trim_scale(orders.price / 100.0) end,
  'unit', case when orders.kind = any(${creditKinds}::text[]) then 'credits' else 'GHS' end,
  'created_at', ${jsonMoment(sql`orders.created_at`)})`

/** Selects the rows that the last run did not see. The first condition uses an index; the second one decides. */
const isNew = (seen: string) => sql`
  ((era::bigint << 48) + transaction_id::text::bigint) >=
    (((select era from chain_era)::bigint << 48) + pg_snapshot_xmin(${seen}::pg_snapshot)::text::bigint)
  and not pg_visible_in_snapshot(transaction_id, ${seen}::pg_snapshot)`

const haveEndpoints = sql`(select account_id from webhook_endpoints)`

/** The snapshot and the time of the last run, and the time of this run. */
type Progress = { readonly seen: string; readonly seen_at: Date; readonly now: Date }

/**
 * What was committed since the last run for accounts with webhooks, as events: orders that began as queued or completed, later
 * changes of an order's status (of a campaign only its end), and transfers without an order. Also the incidents whose time ran
 * out since then.
 */
const newsSince = ({ seen, seen_at: seenAt, now }: Progress, creditKinds: readonly string[]) => sql`
  with moved as materialized (
    select order_id, event_no, from_status, to_status, created_at from order_events where ${isNew(seen)}
  ), posted as materialized (
    select * from transfers
    where ${isNew(seen)} and kind in ('purchase', 'credit', 'sms_credit', 'correction', 'adjustment', 'top_up') and account_id in ${haveEndpoints}
  ), placed as (
    select orders.*, coalesce((select moves.from_status from order_events as moves where moves.order_id = orders.id
      order by event_no limit 1), orders.status) as first_status
    from posted cross join ${orderById(sql`posted.cause_id`)} where posted.kind = 'purchase'
  )
  select 0::bigint as place, orders.account_id, 'order.' || first_status as type, orders.id::text as subject,
    ${orderData(sql`first_status`, creditKinds)} as data, orders.created_at as happened_at
  from placed as orders where first_status in ('queued', 'completed') and not orders.kind = any(${creditKinds}::text[])
  union all
  select moved.event_no, orders.account_id,
    case when orders.kind = any(${creditKinds}::text[]) then 'campaign.settled' else 'order.' || to_status end, orders.id::text,
    ${orderData(sql`to_status`, creditKinds)}, moved.created_at
  from moved cross join ${orderById(sql`moved.order_id`)}
  where orders.account_id in ${haveEndpoints} and to_status <> 'pending'
    and (not orders.kind = any(${creditKinds}::text[]) or to_status in ('completed', 'failed', 'cancelled'))
  union all
  select side.entry_no, posted.account_id,
    case when posted.kind in ('credit', 'sms_credit') then 'wallet.credited'
      when posted.kind = 'top_up' then 'top_up.credited' else 'wallet.corrected' end,
    posted.account_id || ' ' || side.purse,
    json_build_object('purse', side.purse, 'transaction_no', side.entry_no,
      'amount', case side.purse when 'sms_credits' then side.change else trim_scale(side.change / 100.0) end,
      'balance_after', case side.purse when 'sms_credits' then side.balance_after else trim_scale(side.balance_after / 100.0) end,
      'unit', case side.purse when 'sms_credits' then 'credits' else 'GHS' end,
      'cause_id', posted.cause_id, 'reference', coalesce(top_ups.transfer_reference, top_ups.reference)),
    posted.created_at
  from posted left join top_ups on top_ups.id = posted.cause_id and posted.kind = 'top_up'
  cross join lateral (
    select posted.to_purse as purse, posted.to_entry_no as entry_no, posted.amount as change, posted.to_balance_after as balance_after
    where posted.to_entry_no is not null
    union all
    select posted.from_purse, posted.from_entry_no, -posted.amount, posted.from_balance_after where posted.from_entry_no is not null
  ) as side
  where posted.kind <> 'purchase'
  union all
  select 0, endpoint.account_id, 'incident.closed', incidents.id::text, json_build_object('incident_id', incidents.id), shown_until
  from incidents cross join (select distinct account_id from webhook_endpoints) as endpoint
  where ended_at is null and shown_until > ${seenAt} and shown_until <= ${now}`

/**
 * The messages that have ended, by campaign and in pieces. Each message ends once, so the sequence of these events does not
 * matter.
 */
const endedMessages = sql`
  with ended as (
    select *, (row_number() over (partition by campaign_id, status = 'delivered' order by n) - 1) / ${messagesPerEvent} as piece
    from webhook_messages
  )
  select 0 as place, ended.account_id, case ended.status when 'delivered' then 'message.delivered' else 'message.failed' end as type,
    campaign_id || ' ' || min(n) as subject,
    json_build_object('campaign_id', campaign_id, 'reference', min(orders.reference),
      'messages', json_agg(json_build_object('place', n, 'status', ended.status, 'at', ${jsonMoment(sql`ended_at`)}) order by n)) as data,
    max(ended_at) as happened_at
  from ended cross join ${orderById(sql`campaign_id`)}
  group by ended.account_id, campaign_id, type, piece`

/**
 * Makes events from what is new since the last run: status changes of orders, transfers, and incidents whose time ran
 * out. It finds them in rows that are written anyway, so purchases and settlements write no events. The database notes
 * ended messages (`note_ended_messages`). Reads all in one snapshot and stores it for the next run. Takes the lock
 * before the snapshot.
 */
export async function makeWebhookEvents(db: Db, products: readonly Pick<ProductFacts, 'name' | 'unit'>[]): Promise<void> {
  const creditKinds = products.filter(({ unit }) => unit === 'credits').map(({ name }) => name)
  await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      await sql`lock table webhook_progress in share row exclusive mode`.execute(tx)
      const { rows } = await sql<Progress & { is_restored: boolean }>`
        select seen::text, seen_at, clock_timestamp() as now, pg_snapshot_xmax(pg_current_snapshot()) < pg_snapshot_xmax(seen) as is_restored
        from webhook_progress`.execute(tx)
      const [progress] = rows
      // A database that was restored on another server counts its transactions anew.
      if (progress && !progress.is_restored) await insertWebhookEvents(tx, newsSince(progress, creditKinds))
      await insertWebhookEvents(tx, endedMessages)
      await sql`delete from webhook_messages`.execute(tx)
      await sql`insert into webhook_progress (seen, seen_at) values (pg_current_snapshot(), coalesce(${progress?.now ?? null}, clock_timestamp()))
        on conflict (is_only) do update set seen = excluded.seen, seen_at = excluded.seen_at`.execute(tx)
    })
}

type WebhookWork = Omit<WebhookSenderDeps, 'dispatcher' | 'notifyOfPause' | 'onTried'> & {
  readonly metrics: Metrics | undefined
  readonly isLive: boolean
  readonly products: readonly Pick<ProductFacts, 'name' | 'unit'>[]
}

/**
 * Opens what sends webhooks. With live suppliers nothing is sent to an address that is not public; an installation with the
 * simulator may send to programs on the same machine.
 */
export function openWebhooks({ isLive, products, metrics, ...work }: WebhookWork): { timers: Timer[]; stop(): Promise<void> } {
  const dispatcher = isLive ? openPublicAgent() : new Agent()
  const sender = openWebhookSender({
    ...work,
    dispatcher,
    onTried: metrics && countWebhookTries(metrics),
    notifyOfPause: (tx, paused) => notifyAccounts(tx, [webhookPausedNotice(paused)]),
  })
  return {
    timers: [
      {
        name: 'events for webhooks',
        everySeconds: 1,
        isExclusive: true,
        isDue: sql<boolean>`exists (select from webhook_endpoints)`,
        run: () => makeWebhookEvents(work.db, products),
      },
      { name: 'webhooks', everySeconds: 1, isExclusive: false, isDue: isWebhookDue, run: () => sender.look() },
    ],
    async stop() {
      await sender.stop()
      await dispatcher.destroy()
    },
  }
}
