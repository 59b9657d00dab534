import type { Generated } from 'kysely'

declare module '../database.ts' {
  interface Tables {
    long_work: {
      migration: string
      /** The key of the last row that was changed; null before the first. */
      cursor: string | null
      rows_done: Generated<number>
      rows_in_all: number
      begun_at: Generated<Date>
      updated_at: Generated<Date>
      ended_at: Date | null
    }
  }
}
