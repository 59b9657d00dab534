import type { Generated } from 'kysely'

declare module '../../platform/database/database.ts' {
  interface Tables {
    missing_orders: {
      order_id: string
      gap_id: string
      account_id: string
      price: number
      /** By the clock of the API that acknowledged it. */
      acknowledged_at: Date
      noted_at: Generated<Date>
      kind: string
      reference: string
      repeat_key: string | null
      released_at: Date | null
      released_by: string | null
      is_placed_again: Generated<boolean>
      reason: string | null
    }
    missing_sends: {
      order_id: string
      gap_id: string
      /** By the clock of the worker. */
      sent_at: Date | null
      asked_at: Date | null
      supplier: string
      outgoing_reference: string
      answer: string | null
    }
  }
}
