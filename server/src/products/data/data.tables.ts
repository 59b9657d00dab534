import type { ColumnType, Generated } from 'kysely'

declare module '../../platform/database/database.ts' {
  interface Tables {
    packages: {
      id: string
      network: string
      /** `numeric`: select it as `volume_gb::float8`. */
      volume_gb: ColumnType<string, number, number>
      price_customer: number
      price_agent: number
      price_dealer: number
      is_available: Generated<boolean>
      stock: number | null
    }
    package_offers: {
      package_id: string
      supplier: string
      code: string
      cost: number
      /** Null: open. */
      closed_at: Generated<Date | null>
      closed_because: Generated<string | null>
    }
  }
}
