import type { ColumnType, Generated } from 'kysely'

declare module '../platform/database/database.ts' {
  interface Tables {
    loosenings: {
      id: string
      kind: string
      subject: string
      value: ColumnType<unknown, string, never>
      /** Null: set while the installation was set up. */
      approval_id: string | null
      at: Generated<Date>
    }
  }
}
