import type { ColumnType, Generated } from 'kysely'
import type { PlatformCause } from './ports.ts'

declare module '../platform/database/database.ts' {
  interface Tables {
    /**
     * Credentials that wait for a second person, sealed for the row of their supplier; null: the change removes the stored
     * ones.
     */
    proposed_supplier_credentials: { name: string; id: string; credentials: string | null }
    suppliers: {
      name: string
      adapter: string
      is_enabled: Generated<boolean>
      base_url: string | null
      settings: ColumnType<Record<string, unknown>, string, string>
      credentials: string | null
      /** When each credential was set, by its name, in ISO 8601. */
      credentials_set_at: ColumnType<Record<string, string>, string | undefined, string>
      slots: Generated<number>
      requests_per_second: number | null
      float_pesewas: number | null
      float_read_at: Date | null
    }
    routes: {
      supplier: string
      product: string
      network: string
      priority: Generated<number>
      state: Generated<'open' | 'paused'>
      paused_reason: string | null
      paused_until: Date | null
      paused_at: Date | null
      /** When the supplier of a paused route was last probed, and what it answered. */
      probed_at: Generated<Date | null>
      probe_said: Generated<string | null>
    }
    route_refusals: {
      supplier: string
      product: string
      network: string
      order_id: string
      cause: PlatformCause
      refused_at: Generated<Date>
    }
    supplier_float_reads: {
      supplier: string
      read_at: Generated<Date>
      float_pesewas: number
    }
    supplier_float_movements: {
      id: string
      supplier: string
      /** Pesewas: above 0 was put in, below 0 was taken out. */
      amount: number
      note: string
      moved_at: Date
      noted_by: string
      noted_at: Generated<Date>
    }
  }
}
