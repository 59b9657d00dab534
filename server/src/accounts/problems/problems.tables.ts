import type { Generated } from 'kysely'

declare module '../../platform/database/database.ts' {
  interface Tables {
    problems: {
      id: string
      account_id: string
      text: string
      order_reference: string | null
      top_up_reference: string | null
      request_id: string | null
      reported_by: string
      reported_at: Generated<Date>
      state: Generated<'waiting' | 'answered' | 'closed'>
      answer: string | null
      ended_by: string | null
      ended_at: Date | null
      forgotten_at: Date | null
    }
  }
}
