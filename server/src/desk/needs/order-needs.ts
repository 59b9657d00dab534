import { sql } from 'kysely'
import { formatGhs, pesewas } from '../../money/pesewas.ts'
import { orderById } from '../../orders/order.ts'
import { isStuck, overdueMinutesMax, queuedHoursMax, stuckReasons } from '../../orders/schedule/stuck-condition.ts'
import { firstIdAt } from '../../platform/database/first-id-at.ts'
import { defineNeed } from '../../platform/needs/need.ts'
import { afaRoute } from '../../products/afa/afa.kind.ts'

type UnrefundedFacts = { reference: string; recipient: string; account: string | null; price: number }

/** Orders that failed while automatic refunds were off, until a person refunds them. */
export const unrefundedOrdersNeed = defineNeed<UnrefundedFacts>({
  name: 'refunds',
  waiting: () => sql`
    select failed.order_id::text as id, failed.failed_at as at, jsonb_build_object('reference', failing.reference,
      'recipient', failing.recipient, 'account', account.name, 'price', failing.price) as facts
    from unrefunded_orders as failed
    cross join lateral (select * from orders where orders.id = failed.order_id limit 1) as failing
    left join lateral (select name from accounts where accounts.id = failing.account_id limit 1) as account on true
    order by failed.failed_at, failed.order_id`,
  line: ({ id, facts: { reference, recipient, account, price } }) => ({
    text: `${reference} of ${account ?? 'a reseller'} to ${recipient} failed: ${formatGhs(pesewas(price))} has not gone back.`,
    path: `/orders/${id}`,
  }),
})

/** Reports of resellers that a completed order did not arrive, until somebody answers them. */
export const reportedOrdersNeed = defineNeed<{ reference: string; recipient: string; account: string | null }>({
  name: 'reports',
  waiting: () => sql`
    select report.order_id::text as id, report.reported_at as at, jsonb_build_object(
      'reference', reported.reference, 'recipient', reported.recipient, 'account', account.name) as facts
    from order_reports as report
    cross join lateral (select reference, recipient from orders where orders.id = report.order_id limit 1) as reported
    left join lateral (select name from accounts where accounts.id = report.account_id limit 1) as account on true
    where report.answered_at is null order by report.reported_at, report.order_id`,
  line: ({ id, facts: { reference, recipient, account } }) => ({
    text: `${account ?? 'A reseller'} says that ${reference} did not arrive at ${recipient}.`,
    path: `/reports-of-orders/${id}`,
  }),
})

/** Open AFA registrations, each with the person who has claimed it, if anybody has. */
export const afaNeed = defineNeed<{ reference: string; recipient: string; claimedBy: string | null }>({
  name: 'afa',
  waiting: () => sql`
    select applied.id::text as id, applied.created_at as at, jsonb_build_object(
      'reference', applied.reference, 'recipient', applied.recipient, 'claimedBy', registration.claimed_by) as facts
    from open_orders
    cross join lateral (select id, reference, recipient, created_at from orders where orders.id = open_orders.order_id limit 1) as applied
    left join lateral (select claimed_by from afa_registrations where afa_registrations.order_id = applied.id limit 1) as registration on true
    where open_orders.route = ${afaRoute} order by applied.id`,
  line: ({ id, facts: { reference, recipient, claimedBy } }) => ({
    text: `${reference}: register ${recipient}${claimedBy === null ? '' : `, which ${claimedBy} has taken`}.`,
    path: `/afa?order=${id}`,
  }),
})

export const requestedSendersNeed = defineNeed<{ sender: string; account: string | null }>({
  name: 'senders',
  waiting: () => sql`
    select sender.id::text as id, sender.requested_at as at,
      jsonb_build_object('sender', sender.sender, 'account', account.name) as facts
    from sms_senders as sender
    left join lateral (select name from accounts where accounts.id = sender.account_id limit 1) as account on true
    where sender.status = 'requested' order by sender.requested_at, sender.id`,
  line: ({ id, facts: { sender, account } }) => ({
    text: `${account ?? 'An account'} wishes to send as ${sender}.`,
    path: `/senders/${id}`,
  }),
})

type StuckFacts = { reference: string; kind: string; recipient: string; why: keyof typeof stuckReasons }

/**
 * An order's id holds the time of the process that placed it. Its row holds the later time of the database, by another clock.
 * We assume that the two differ by less than this.
 */
const clockToleranceMilliseconds = 3_600_000
const hourMilliseconds = 3_600_000

/**
 * Orders that need a person. Three indexes find the candidates: orders on hold, orders that have waited days for a number
 * registration, and overdue orders of each route. `isStuck` decides.
 */
export const stuckOrdersNeed = defineNeed<StuckFacts>({
  name: 'stuck',
  waiting: () => {
    const queuedSince = Date.now() - queuedHoursMax * hourMilliseconds + clockToleranceMilliseconds
    return sql`
      with recursive every_route as (
        (select route from open_orders order by route limit 1)
        union all
        select (select route from open_orders where open_orders.route > every_route.route order by route limit 1)
        from every_route where every_route.route is not null
      ), candidates as (
        select order_id from open_orders where hold_reason is not null and hold_reason <> 'not_registered'
        union
        select order_id from open_orders
        where hold_reason = 'not_registered' and order_id < ${firstIdAt(queuedSince)}::uuid
        union
        select late.order_id from every_route cross join lateral (
          select order_id from open_orders where open_orders.route = every_route.route and is_question = any('{true,false}')
            and next_step_at < now() - make_interval(mins => ${sql.lit(overdueMinutesMax)}) and lease_until < now()
        ) as late
      )
      select orders.id::text as id, orders.created_at as at, jsonb_build_object(
        'reference', orders.reference, 'kind', orders.kind, 'recipient', orders.recipient,
        'why', coalesce(open_orders.hold_reason, 'overdue')) as facts
      from candidates
      join open_orders on open_orders.order_id = candidates.order_id
      cross join ${orderById(sql`candidates.order_id`)}
      where ${isStuck} order by orders.id`
  },
  line: ({ id, facts: { reference, recipient, why } }) => ({
    text: `${reference} to ${recipient}: ${stuckReasons[why] ?? why}.`,
    path: `/orders/${id}`,
  }),
})
