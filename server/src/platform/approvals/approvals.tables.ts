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
      /** Null: it was not proposed at the desk. */
      proposed_person_id: string | null
      created_at: Generated<Date>
      expires_at: Generated<Date>
      state: Generated<'pending' | 'done' | 'refused' | 'expired'>
      decided_by: string | null
      decided_os_user: string | null
      decided_person_id: string | null
      decided_at: Date | null
      decision_note: string | null
      /** True when root named the user of the operating system in SUDO_USER. */
      proposed_user_named: Generated<boolean>
      decided_user_named: Generated<boolean>
    }
    loosening_notices: { approval_id: string; notified_at: Generated<Date> }
    given_rights: {
      id: string
      person_id: string
      email: string
      role: string
      given_by: string
      given_os_user: string
      given_person_id: string | null
      given_at: Generated<Date>
    }
    ended_rights: { id: string; person_id: string; email: string; role: string; ended_by: string; ended_at: Generated<Date> }
    approval_references: {
      reference: string
      approval_id: string
      status: 'pending' | 'done'
      said: string
      created_at: Generated<Date>
    }
  }
}
