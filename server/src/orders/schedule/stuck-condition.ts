import { type RawBuilder, sql } from 'kysely'
import type { HoldReason } from '../next-step.ts'

/**
 * A held order that was placed longer ago than this needs a person. For orders that wait for a registration, `queuedHoursMax`
 * counts.
 */
const heldMinutesMax = 15

/**
 * A person must look at an order that was placed longer ago than this and still waits for the registration of its number
 * (decision N4b).
 */
export const queuedHoursMax = 48

/** If no worker takes a due order within this time, workers are missing or too slow. */
export const overdueMinutesMax = 2

const isOverdue = sql<boolean>`(
  open_orders.next_step_at < now() - make_interval(mins => ${sql.lit(overdueMinutesMax)}) and open_orders.lease_until < now())`

/**
 * The condition, on `orders` joined with `open_orders`, under which an order needs a person: its outcome cannot be found,
 * no process can do anything for it, it is held although it was placed long ago, or no worker takes it.
 *
 * Its first part is about the schedule alone: of a long queue that only waits for its turn, no order is looked up.
 */
export const isStuck: RawBuilder<boolean> = sql<boolean>`((open_orders.hold_reason is not null or ${isOverdue}) and (
  open_orders.hold_reason in ('no_definitive_answer', 'cannot_ask', 'route_missing', 'supplier_missing', 'not_offered',
    'request_rejected')
  or (open_orders.hold_reason = 'not_registered' and orders.created_at < now() - make_interval(hours => ${sql.lit(queuedHoursMax)}))
  or (open_orders.hold_reason <> 'not_registered' and orders.created_at < now() - make_interval(mins => ${sql.lit(heldMinutesMax)}))
  or ${isOverdue}))`

/** Why an order needs a person, for alarms and the desk. */
export const stuckReasons: Readonly<Record<HoldReason | 'overdue', string>> = {
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
