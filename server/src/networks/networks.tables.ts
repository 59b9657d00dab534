import type { Generated } from 'kysely'

declare module '../platform/database/database.ts' {
  interface Tables {
    networks: { product: string; name: string; position: number }
    number_prefixes: { prefix: string; network: string }
    ported_numbers: { number: string; network: string; recorded_at: Generated<Date> }
  }
}
