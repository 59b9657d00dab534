import type { Generated } from 'kysely'

declare module '../database/database.ts' {
  interface Tables {
    number_keys: { name: string; key: string; made_at: Generated<Date> }
    forgetting_progress: { name: string; through: string }
  }
}
