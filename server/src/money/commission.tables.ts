import type { Generated } from 'kysely'

declare module '../platform/database/database.ts' {
  interface Tables {
    commission_rates: { product: string; network: string; rate_basis_points: number }
    commission_shares: { product: string; role: 'customer' | 'agent' | 'dealer'; share_basis_points: number }
    order_commissions: {
      order_id: string
      account_id: string
      base: number
      caller: number
      platform: number
      source: 'reported' | 'rate'
      created_at: Generated<Date>
    }
    commission_moves: {
      id: string
      account_id: string
      external_id: string | null
      amount: number
      actor: string
      created_at: Generated<Date>
    }
  }
}
