import type { ColumnType } from 'kysely'

declare module '../database/database.ts' {
  interface Tables {
    /** The tables that are partitioned by month. Processes only read it. */
    partitioned_tables: {
      name: ColumnType<string, never, never>
      storage: ColumnType<string, never, never>
      is_put_away: ColumnType<boolean, never, never>
    }
    /** The months that are put away into files. Functions of the owner write it. */
    put_away_months: {
      /** The first day of the month. */
      month: ColumnType<string, never, never>
      state: ColumnType<PutAwayState, never, never>
      folder: ColumnType<string | null, never, never>
      host: ColumnType<string | null, never, never>
      bytes: ColumnType<number | null, never, never>
      row_counts: ColumnType<Readonly<Record<string, number>>, never, never>
      manifest_hash: ColumnType<string | null, never, never>
      taken_out_at: ColumnType<Date, never, never>
      written_at: ColumnType<Date | null, never, never>
    }
  }
}

/** `docs/schema.md` says what each state means. */
export type PutAwayState = 'taken_out' | 'written' | 'put_away' | 'coming_back'
