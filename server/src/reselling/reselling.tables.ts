import type { Generated } from 'kysely'

declare module '../platform/database/database.ts' {
  interface Tables {
    own_prices: {
      price_no: Generated<number>
      account_id: string
      product: string
      /** Empty: the rule for all items of the product that have no rule of their own. */
      item: string
      rule: 'price' | 'add' | 'percent'
      /** Pesewas, or hundredths of a percent. */
      value: number
      valid_from: Generated<Date>
      valid_until: Date | null
    }
    customers: {
      id: string
      account_id: string
      name: string
      note: string
      is_favourite: boolean
      created_at: Generated<Date>
    }
    customer_numbers: { account_id: string; number: string; customer_id: string; place: number }
    shops: {
      account_id: string
      name: string
      phone: string | null
      logo: Buffer | null
      logo_type: 'image/png' | 'image/jpeg' | null
    }
    sale_receipts: {
      token: string
      order_id: string
      account_id: string
      shows_number: boolean
      made_by: string
      made_at: Generated<Date>
      revoked_at: Date | null
    }
  }
}
