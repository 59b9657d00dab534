import type { Generated } from 'kysely'
import type { AccountPurse } from '../money/money.tables.ts'

declare module '../platform/database/database.ts' {
  interface Tables {
    /** Besides the key, every column is a sum; `measures.ts` lists them. */
    daily_figures: {
      slice: 'goods' | 'account' | 'supplier'
      day: string
      product: Generated<string>
      network: Generated<string>
      package: Generated<string>
      role: Generated<string>
      supplier: Generated<string>
      account_id: Generated<string>
      orders: Generated<number>
      sales: Generated<number>
    }
    daily_purses: {
      day: string
      purse: AccountPurse
      moved_in: Generated<number>
      moved_out: Generated<number>
    }
    report_schedules: {
      id: string
      email: string
      report: string
      grouping: string
      every: string
      hour: number
      next_at: Date
      sent_for: string | null
      created_at: Generated<Date>
    }
    report_progress: {
      only_row: Generated<boolean>
      counted: string
      counted_at: Date
      first_day: string
      oldest_day: string
      searched_from: Date
      restored_until: Date
      mark_xmax: string
      mark_at: Date
    }
    supplier_hours: {
      hour: Date
      supplier: string
      outcome: string
      attempts: number
      cost: number
      answer_steps: Record<string, number>
      delivery_steps: Record<string, number>
    }
    supplier_hours_counted: {
      hour: Date
      counted_at: Date
      open: number
    }
  }
}
