import type { ColumnType } from 'kysely'

declare module '../database/database.ts' {
  interface Tables {
    /** The tables that are kept in parts by month. Processes only read it. */
    tables_in_parts: { name: ColumnType<string, never, never>; storage: ColumnType<string, never, never> }
  }
}
