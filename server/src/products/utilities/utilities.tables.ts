import type { Generated } from 'kysely'
import type { BillerKey } from './utilities.schemas.ts'

declare module '../../platform/database/database.ts' {
  interface Tables {
    billers: {
      key: BillerKey
      label: string
      account_label: string
      requires_phone: boolean
      lookup_by: 'phone' | 'account'
      links_phone_to_account: boolean
      has_amount_due: boolean
      position: number
    }
    looked_up_accounts: {
      account_id: string
      biller: string
      account_number: string
      account_name: string
      looked_up_at: Generated<Date>
    }
  }
}
