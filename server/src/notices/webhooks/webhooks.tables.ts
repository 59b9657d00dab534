import type { Generated } from 'kysely'

export type PauseReason = 'owner' | 'operator' | 'failing' | 'gone'

declare module '../../platform/database/database.ts' {
  interface Tables {
    webhook_endpoints: {
      id: string
      account_id: string
      url: string
      events: string[]
      secret: string
      previous_secret: string | null
      previous_secret_until: Date | null
      state: Generated<'active' | 'paused'>
      pause_reason: PauseReason | null
      created_at: Generated<Date>
      active_since: Generated<Date>
      failures: Generated<number>
      is_slow: Generated<boolean>
      delivered_at: Date | null
      next_try_at: Generated<Date>
      lease_until: Generated<Date>
      lease_no: Generated<number>
    }
    webhook_events: {
      event_no: Generated<number>
      id: Generated<string>
      account_id: string
      type: string
      data: unknown
      happened_at: Date
      created_at: Generated<Date>
    }
    webhook_deliveries: {
      endpoint_id: string
      event_no: number
      subject: string
      state: Generated<'waiting' | 'delivered'>
      tries: Generated<number>
      next_try_at: Generated<Date>
      created_at: Generated<Date>
      queued_at: Generated<Date>
      tried_at: Date | null
      milliseconds: number | null
      status: number | null
      answer: string | null
      failure: string | null
    }
    webhook_messages: { campaign_id: string; n: number; account_id: string; status: string; ended_at: Date }
    webhook_progress: { is_only: Generated<boolean>; seen: string; seen_at: Date }
  }
}
