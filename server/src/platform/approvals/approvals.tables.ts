import type { ColumnType, Generated } from 'kysely'

declare module '../database/database.ts' {
  interface Tables {
    approvals: {
      id: string
      kind: string
      key: string
      subject: string
      request: ColumnType<unknown, string, never>
      reason: string
      before: string | null
      after: string | null
      proposed_by: string
      proposed_os_user: string
      created_at: Generated<Date>
      expires_at: Generated<Date>
      state: Generated<'pending' | 'done' | 'refused' | 'expired'>
      decided_by: string | null
      decided_os_user: string | null
      decided_at: Date | null
      decision_note: string | null
    }
  }
}
