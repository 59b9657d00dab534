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
    /** Credentials that wait for a second person, sealed for the row of their gateway. */
    proposed_gateway_credentials: { name: string; id: string; credentials: string }
  }
}
