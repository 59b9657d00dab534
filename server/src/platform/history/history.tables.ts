import type { ColumnType, Generated } from 'kysely'

declare module '../database/database.ts' {
  interface Tables {
    history_mark: {
      only_row: Generated<boolean>
      database_id: Generated<string>
      position: Generated<number>
      moved_at: Generated<Date>
    }
    history_lines: { line: string; began_after: number; began_after_at: Date }
    history_gaps: {
      id: string
      noticed_at: Generated<Date>
      /** The process that noticed the gap, or the person who reported it. */
      noticed_by: string
      reason: string
      went_back_to: Date
      known_until: Date
      accepted_at: Date | null
      accepted_by: string | null
      /** How much was held back when people accepted the gap: orders that are asked about, paused campaigns, and so on. */
      kept_back: ColumnType<Record<string, number>, string | undefined, string>
    }
  }
}
