import type { Generated } from 'kysely'

declare module '../platform/database/database.ts' {
  interface Tables {
    alarms: {
      id: string
      name: string
      subject: string
      /** Readable name of the subject, where `subject` is an id. */
      about: string | null
      message: string
      command: string | null
      raised_at: Generated<Date>
      last_seen_at: Generated<Date>
      cleared_at: Date | null
    }
    alert_notices: {
      alarm_id: string
      change: 'raised' | 'cleared'
      channel: 'email' | 'webhook'
      tries: Generated<number>
      next_try_at: Generated<Date>
      created_at: Generated<Date>
      sent_at: Date | null
      dropped_at: Date | null
      last_failure: string | null
    }
    courtesy_notices: {
      order_id: string
      channel: 'sms' | 'email'
      state: Generated<'queued' | 'sending' | 'sent' | 'undelivered' | 'unknown'>
      tries: Generated<number>
      next_try_at: Generated<Date>
      lease_until: Date | null
      reason: string | null
      created_at: Generated<Date>
      ended_at: Date | null
    }
    reseller_notices: {
      id: string
      account_id: string
      kind: string
      about: string
      channel: 'sms' | 'email'
      subject: string
      body: string
      state: Generated<'queued' | 'sending' | 'sent' | 'failed'>
      tries: Generated<number>
      next_try_at: Generated<Date>
      lease_until: Date | null
      /** The address or number of the last try. Null when there was no try, or no number to try. */
      sent_to: string | null
      reason: string | null
      created_at: Generated<Date>
      ended_at: Date | null
    }
  }
}
