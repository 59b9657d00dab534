import type { Generated } from 'kysely'

declare module '../../platform/database/database.ts' {
  interface Tables {
    voucher_types: {
      id: string
      name: string
      price_customer: number
      price_agent: number
      price_dealer: number
      is_active: Generated<boolean>
      available_count: Generated<number>
      low_stock_count: Generated<number>
      created_at: Generated<Date>
    }
    vouchers: {
      id: string
      type_id: string
      /** Sealed. */
      pin: string
      pin_hash: Buffer
      /** Sealed. */
      serial_number: string
      serial_number_hash: Buffer
      order_id: string | null
      imported_at: Generated<Date>
      sold_at: Date | null
    }
    voucher_batches: {
      id: string
      type_id: string
      imported_at: Generated<Date>
      imported: number
      /** How many rows of the file were known already. */
      skipped: number
      file_name: string | null
      imported_by: string | null
    }
    withdrawn_vouchers: {
      id: string
      type_id: string
      /** Sealed, and bound to the row of `vouchers` that it was taken from. */
      pin: string
      pin_hash: Buffer
      /** Sealed, and bound to the row of `vouchers` that it was taken from. */
      serial_number: string
      serial_number_hash: Buffer
      imported_at: Date
      approval_id: string
      withdrawn_at: Generated<Date>
    }
  }
}
