import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import { afaRoute } from './afa.kind.ts'

export type RegistrationCounts = {
  readonly waiting: number
  /** Time at which the longest-waiting unclaimed registration was submitted. */
  readonly oldestWaiting: Date | null
  readonly mine: number
  readonly others: number
  /** Time of the oldest claim, by any person. */
  readonly oldestClaimed: Date | null
}

/** Counts the registrations in `open_orders`, which stays short however many have ended. */
export async function countRegistrations(db: Db, me: string): Promise<RegistrationCounts> {
  const { rows } = await sql<{
    waiting: number
    oldest_waiting: Date | null
    mine: number
    others: number
    oldest_claimed: Date | null
  }>`
    select count(*) filter (where status = 'pending') as waiting,
      min(orders.created_at) filter (where status = 'pending') as oldest_waiting,
      count(*) filter (where status = 'processing' and claimed_by = ${me}) as mine,
      count(*) filter (where status = 'processing' and claimed_by is distinct from ${me}) as others,
      min(claimed_at) filter (where status = 'processing') as oldest_claimed
    from open_orders join orders on orders.id = open_orders.order_id
      join afa_registrations on afa_registrations.order_id = open_orders.order_id
    where open_orders.route = ${afaRoute}`.execute(db)
  const [row] = rows
  return {
    waiting: row?.waiting ?? 0,
    oldestWaiting: row?.oldest_waiting ?? null,
    mine: row?.mine ?? 0,
    others: row?.others ?? 0,
    oldestClaimed: row?.oldest_claimed ?? null,
  }
}
