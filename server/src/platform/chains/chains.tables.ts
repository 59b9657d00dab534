import type { ColumnType, Generated } from 'kysely'

type KeyColumn = ColumnType<readonly string[] | null, string | null, never>

declare module '../database/database.ts' {
  interface Tables {
    /** Sealed blocks; rows are only added. */
    chain_blocks: {
      chain: string
      block_no: number
      form: number
      after_position: number
      after_key: KeyColumn
      through_position: number
      through_key: KeyColumn
      row_count: number
      rows_hash: string
      row_marks: string
      previous_hash: string
      hash: string
      sealed_at: Date
    }
    chain_states: { chain: string; sealed_through_at: Generated<Date>; mark_position: number; mark_at: Date }
    chain_heads_sent: { channel: string; sent_at: Date }
    /** One row: how often the database was restored into another server. */
    chain_era: { only_row: Generated<boolean>; era: Generated<number> }
  }
}
