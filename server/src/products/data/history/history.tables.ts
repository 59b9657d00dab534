import type { ColumnType, Generated } from 'kysely'

declare module '../../../platform/database/database.ts' {
  interface Tables {
    package_changes: {
      id: Generated<number>
      package_id: string
      at: Generated<Date>
      actor: string
      action: string
      reason: string | null
      columns: ColumnType<
        Record<string, { before: string | number | boolean | null; after: string | number | boolean | null }>,
        string
      >
    }
  }
}
