import type { Generated } from 'kysely'
import type { LineFinding } from './compare-line.ts'

declare module '../platform/database/database.ts' {
  interface Tables {
    supplier_statements: {
      id: string
      supplier: string
      file_hash: Buffer
      file_name: string
      line_count: number
      covers_from: Date | null
      covers_to: Date | null
      imported_by: string
      imported_at: Generated<Date>
      /** Results of the import: how many lines, and their sums in pesewas. Null: imported before these were stored. */
      matched: Generated<number | null>
      matched_amount: Generated<number | null>
      ours_only: Generated<number | null>
      ours_only_amount: Generated<number | null>
      theirs_only: Generated<number | null>
      theirs_only_amount: Generated<number | null>
      amount_differs: Generated<number | null>
      amount_differs_theirs: Generated<number | null>
      amount_differs_ours: Generated<number | null>
      not_billed: Generated<number | null>
      unreadable: Generated<number | null>
    }
    statement_uploads: {
      id: string
      supplier: string
      file_name: string
      size: number
      begun_by: string
      begun_at: Generated<Date>
    }
    statement_upload_parts: { upload_id: string; part_no: number; bytes: Buffer }
    statement_lines: {
      statement_id: string
      line_no: number
      reference: string | null
      amount: number | null
      commission: number | null
      at: Date | null
      finding: LineFinding
      why: string | null
      order_id: string | null
      attempt_no: number | null
    }
    reconciliation_differences: {
      id: string
      supplier: string
      kind: 'ours_only' | 'theirs_only' | 'amount_differs'
      why: string | null
      statement_id: string
      line_no: number | null
      reference: string
      nth: Generated<number>
      at: Date | null
      order_id: string | null
      attempt_no: number | null
      amount_theirs: number | null
      amount_ours: number | null
      found_at: Generated<Date>
      assigned_to: string | null
      closed_at: Date | null
      closed_by: string | null
      close_reason: string | null
    }
  }
}
