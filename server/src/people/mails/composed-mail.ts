import type { Db } from '../../platform/database/database.ts'
import type { OpenAuth } from '../auth/open-auth.ts'
import type { PersonMailKind } from './queue-person-mail.ts'

export type ComposedMail = {
  readonly subject: string
  readonly text: string
  readonly file?: { readonly name: string; readonly text: string }
}

/** Composes a report over the period that ends on `lastDay`; undefined when its reader does not want it any more. */
export type ComposeReport = (scheduleId: string, lastDay: string) => Promise<ComposedMail | undefined>

export type ComposeDeps = {
  readonly db: Db
  readonly openAuth: OpenAuth
  readonly publicUrl: string
  /** Absent where no reports are sent. */
  readonly composeReport?: ComposeReport
}

/** A mail to compose: a row of `person_mails`. */
export type QueuedMail = {
  readonly kind: PersonMailKind
  readonly email: string
  readonly invitation_id: string | null
  readonly approval_id: string | null
  readonly report_schedule_id: string | null
  /** The last day of the report's period. */
  readonly report_day: string | null
  /** The number to which it goes as a text; null: it is a mail. */
  readonly phone: string | null
  readonly created_at: Date
}
