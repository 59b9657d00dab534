import type { Generated } from 'kysely'

declare module '../../platform/database/database.ts' {
  interface Tables {
    afa_registrations: {
      order_id: string
      /** The applicant's data, sealed. Null after `forgettingOfIdentities` has deleted it. */
      identity: string | null
      created_at: Generated<Date>
      claimed_by: string | null
      claimed_at: Date | null
      purged_at: Date | null
    }
  }
}
