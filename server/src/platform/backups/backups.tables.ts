import type { Generated } from 'kysely'

declare module '../database/database.ts' {
  interface Tables {
    backups: {
      id: Generated<number>
      made_at: Date
      /** The program that made it, such as `makola`, `pg_dump` or `pgbackrest`. */
      kind: string
      place: string
      bytes: number | null
    }
  }
}
