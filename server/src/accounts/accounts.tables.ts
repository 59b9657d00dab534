import type { ColumnType, Generated } from 'kysely'
import type { MutedNotice } from '../notices/notice-kinds.ts'
import type { KeyType, Role } from './caller.ts'

/** Written as JSON text, read as its value. */
type JsonText = ColumnType<unknown, string | null, never>

declare module '../platform/database/database.ts' {
  interface Tables {
    accounts: {
      id: string
      email: string
      name: string
      role: Role
      role_expires_at: Date | null
      status: Generated<'active' | 'suspended'>
      is_business: Generated<boolean>
      policy_accepted_at: Date | null
      created_at: Generated<Date>
    }
    api_keys: {
      id: string
      account_id: string
      type: KeyType
      digest: Buffer
      /** The text before the secret, such as `makola_sms_live_`, as it was when the key was made. */
      prefix: string
      hint: string
      status: 'pending' | 'active' | 'revoked'
      created_at: Generated<Date>
      approved_at: Date | null
      revoked_at: Date | null
      last_used_at: Date | null
      last_used_ip: string | null
      /** In CIDR notation. An empty list means everywhere. */
      allowed_addresses: Generated<string[]>
      ends_at: Date | null
    }
    policy_acceptances: {
      account_id: string
      version: number
      /** Null: accepted on paper. */
      person_id: string | null
      address: string | null
      accepted_at: Generated<Date>
    }
    business_requests: {
      id: string
      account_id: string
      name: string
      registration_number: string
      purpose: string
      state: Generated<'waiting' | 'approved' | 'declined'>
      reason: string | null
      asked_by: string
      asked_at: Generated<Date>
      decided_by: string | null
      decided_at: Date | null
    }
    request_log: {
      id: string
      key_id: string
      called_at: Date
      method: string
      path: string
      status: number
      milliseconds: number
      request_id: string
      address: string | null
      reason: string | null
      order_references: string[] | null
      order_id: string | null
      request: JsonText
      response: JsonText
    }
    account_notice_settings: {
      account_id: string
      /** In pesewas. The account gets a notice when its main wallet has less than this. Null: never. */
      low_balance: number | null
      /** 233 and nine digits; null: no SMS. */
      phone: string | null
      /** The notices that the account switched off, such as `order_refunded/email`. */
      muted: Generated<MutedNotice[]>
      /** The time of the notice of a low balance. Null: the balance is not low, or no worker has checked it yet. */
      low_since: Generated<Date | null>
      /** How many times a worker found that the balance had fallen below the limit. */
      falls: Generated<number>
      updated_at: Generated<Date>
    }
  }
}
