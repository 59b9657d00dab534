import type { Generated } from 'kysely'
import type { Role } from '../../../accounts/caller.ts'

declare module '../../../platform/database/database.ts' {
  interface Tables {
    scheduled_price_sets: {
      id: string
      effective_at: Date
      state: Generated<'waiting' | 'held' | 'done' | 'cancelled'>
      note: string | null
      is_below_cost_allowed: boolean
      made_by: string
      made_at: Generated<Date>
      held_because: string | null
      ended_at: Date | null
      ended_by: string | null
    }
    scheduled_prices: {
      set_id: string
      package_id: string
      role: Role
      /** Pesewas, like `after`. */
      before: number
      after: number
    }
  }
}
