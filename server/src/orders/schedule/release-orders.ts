import { sql } from 'kysely'
import type { Tx } from '../../platform/database/database.ts'
import { rowsOf } from '../../platform/database/rows-of.ts'
import type { HoldReason } from '../next-step.ts'
import { leaseSeconds } from './claim-open-orders.ts'

/** When and how an order that stays open goes on. */
export type OrderRelease = {
  readonly orderId: string
  /** Seconds from now, by the database's clock. */
  readonly afterSeconds: number
  readonly holdReason: HoldReason | null
  /** True: the attempt is over, and the next step is a new send. False: the supplier is still asked about it. */
  readonly isAttemptOver: boolean
  /** Another route to go on with. */
  readonly route?: string
  /** The order waits because of our own mistake. From the first such wait on it has a deadline (decision S12b). */
  readonly isOurMistake?: boolean
}

/**
 * Gives leases back. The lease number grows, so an answer under the old lease no longer fits. If a callback came during
 * the lease, the order is due at once, because that callback has not been used yet.
 */
export async function releaseOrders(tx: Tx, releases: readonly OrderRelease[]): Promise<void> {
  if (releases.length === 0) return
  await sql`
    update open_orders
    set next_step_at = case
        when not release.is_attempt_over and exists (select from attempt_answers
          where attempt_answers.attempt_id = open_orders.attempt_id and source = 'callback'
            and created_at >= open_orders.lease_until - make_interval(secs => ${leaseSeconds}))
        then clock_timestamp()
        else clock_timestamp() + make_interval(secs => release.after_seconds) end,
      hold_reason = release.hold_reason,
      attempt_id = case when release.is_attempt_over then null else open_orders.attempt_id end,
      route = coalesce(release.route, open_orders.route),
      our_mistake_since = case when release.is_our_mistake then coalesce(open_orders.our_mistake_since, clock_timestamp())
        else open_orders.our_mistake_since end,
      lease_until = '-infinity',
      lease_no = lease_no + 1
    from ${rowsOf(releases, {
      order_id: ['uuid', (release) => release.orderId],
      after_seconds: ['float8', (release) => release.afterSeconds],
      hold_reason: ['text', (release) => release.holdReason],
      is_attempt_over: ['boolean', (release) => release.isAttemptOver],
      route: ['text', (release) => release.route ?? null],
      is_our_mistake: ['boolean', (release) => release.isOurMistake === true],
    }).as('release')}
    where open_orders.order_id = release.order_id`.execute(tx)
}
