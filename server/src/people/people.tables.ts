import type { Generated } from 'kysely'
import type { PersonMailKind } from './mails/queue-person-mail.ts'
import type { MemberRole } from './permissions/member-permissions.ts'
import type { StaffRole } from './permissions/staff-permissions.ts'

declare module '../platform/database/database.ts' {
  interface Tables {
    persons: {
      id: string
      name: string
      email: string
      email_verified: Generated<boolean>
      image: string | null
      two_factor_enabled: Generated<boolean>
      is_second_factor_due: Generated<boolean>
      created_at: Generated<Date>
      updated_at: Generated<Date>
    }
    person_sessions: {
      id: string
      person_id: string
      token: string
      ip_address: string | null
      user_agent: string | null
      confirmed_at: Generated<Date>
      expires_at: Date
      created_at: Generated<Date>
      updated_at: Generated<Date>
    }
    person_credentials: {
      id: string
      person_id: string
      /** `credential`: the person signs in with a password. */
      provider: string
      subject: string
      password: string | null
      created_at: Generated<Date>
      updated_at: Generated<Date>
    }
    person_verifications: {
      id: string
      identifier: string
      value: string
      expires_at: Date
      created_at: Generated<Date>
      updated_at: Generated<Date>
    }
    person_two_factors: {
      id: string
      person_id: string
      secret: string
      backup_codes: string
      verified: Generated<boolean>
      failed_verification_count: Generated<number>
      locked_until: Date | null
      /** The half minute of the last used code, as a number of half minutes since 1970. */
      last_code_step: string | null
    }
    person_passkeys: {
      id: string
      person_id: string
      name: string
      credential_id: string
      public_key: Buffer
      sign_count: string
      transports: string[]
      created_at: Generated<Date>
      last_used_at: Date | null
    }
    person_phones: { person_id: string; phone: string | null; confirmed_at: Date | null; asked_phone: string | null }
    lost_factors: { id: string; person_id: string; asked_at: Generated<Date>; stop_digest: Buffer | null }
    member_invitations: {
      id: string
      account_id: string
      email: string
      role: MemberRole
      actor: string
      token_digest: Buffer | null
      created_at: Generated<Date>
      expires_at: Date
    }
    members: { account_id: string; person_id: string; role: MemberRole; created_at: Generated<Date> }
    set_up_dismissals: { person_id: string; dismissed_at: Generated<Date> }
    account_views: {
      session_id: string
      person_id: string
      account_id: string
      started_at: Generated<Date>
      ends_at: Date
    }
    staff: { person_id: string; role: StaffRole; created_at: Generated<Date>; directory_subject: string | null }
    person_mails: {
      id: string
      email: string
      kind: PersonMailKind
      /**
       * The invitation that the mail is about. Null for other kinds of mails, and after the invitation was used, withdrawn or
       * deleted.
       */
      invitation_id: string | null
      /** The proposal that the mail is about. */
      approval_id: string | null
      /** The number to which it goes as a text. Null: it is a mail. */
      phone: string | null
      /** The scheduled report that the mail brings, and the last day of the report's period. */
      report_schedule_id: string | null
      report_day: string | null
      state: Generated<'queued' | 'sending' | 'sent' | 'kept' | 'dropped' | 'failed'>
      tries: Generated<number>
      next_try_at: Generated<Date>
      lease_until: Date | null
      subject: string | null
      kept_text: string | null
      reason: string | null
      created_at: Generated<Date>
      ended_at: Date | null
    }
  }
}
