import { sql } from 'kysely'
import { firstIdAt } from '../../platform/database/first-id-at.ts'
import { defineNeed } from '../../platform/needs/need.ts'
import type { HoldReason } from '../next-step.ts'
import { orderById } from '../order-by-id.ts'
import { isStuck, overdueMinutesMax, queuedHoursMax } from './stuck-condition.ts'

type Facts = { reference: string; kind: string; recipient: string; why: HoldReason | 'overdue' }

/**
 * An order's id holds the time of the process that placed it. Its row holds the later time of the database, by another clock.
 * The two differ by less than this.
 */
const clockToleranceMilliseconds = 3_600_000
const hourMilliseconds = 3_600_000

export const stuckReasons: Readonly<Record<Facts['why'], string>> = {
  no_definitive_answer: 'the supplier has not said what became of it',
  cannot_ask: 'the supplier cannot be asked about it',
  route_missing: 'it has no route',
  supplier_missing: 'its supplier is not there',
  not_offered: 'no supplier offers it',
  request_rejected: 'suppliers refuse what we ask for',
  not_registered: 'its number is still not registered',
  platform_rejected: 'the supplier refuses us',
  supplier_unreachable: 'the supplier cannot be reached',
  throttled: 'the supplier slows us down',
  route_paused: 'its route is paused',
  overdue: 'no worker takes it',
}

/**
 * Orders that need a person. Three indexes find what may be stuck: what is held, what has waited for its registration
 * for days, and on each route what is overdue. `isStuck` decides.
 */
export const stuckOrdersNeed = defineNeed<Facts>({
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
