import type { ColumnType, Generated } from 'kysely'

declare module '../platform/database/database.ts' {
  interface Tables {
    erasures: {
      approval_id: string
      /** Sealed. Null once it is done, refused or expired. */
      number: string | null
      masked: string
      asked_at: Generated<Date>
      done_at: Date | null
      erased: ColumnType<Record<string, number>, string | undefined, string>
      kept: ColumnType<readonly KeptRows[], string | undefined, string>
    }
  }
}

/** Rows of one kind that an erasure left, with the first of their references or ids. */
export type KeptRows = {
  readonly title: string
  readonly count: number
  readonly because: string
  readonly rows: readonly string[]
}
