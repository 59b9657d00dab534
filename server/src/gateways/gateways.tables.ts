import type { Generated } from 'kysely'

declare module '../platform/database/database.ts' {
  interface Tables {
    gateways: {
      name: string
      is_enabled: Generated<boolean>
      base_url: string
      /** Sealed. */
      credentials: string
      updated_at: Generated<Date>
    }
  }
}
