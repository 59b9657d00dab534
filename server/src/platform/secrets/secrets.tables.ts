import type { Generated } from 'kysely'

declare module '../database/database.ts' {
  interface Tables {
    secret_canaries: { key_id: string; ciphertext: string; created_at: Generated<Date> }
  }
}
