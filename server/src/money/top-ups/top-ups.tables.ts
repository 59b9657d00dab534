import type { Generated } from 'kysely'
import type { TopUpState } from './top-up-life.ts'

declare module '../../platform/database/database.ts' {
  interface Tables {
    top_ups: {
      id: string
      account_id: string
      /** The name of a gateway, or `transfer`. */
      way: string
      reference: string
      page_reference: string
      /** Whole pesewas that the wallet gets. */
      amount: number
      /** Whole pesewas that the payer pays in addition. */
      fee: number
      state: TopUpState
      /** The e-mail of the person. */
      made_by: string
      payment_url: string | null
      /** The number that the gateway asks on the phone, `0XXXXXXXXX`. Null: the payer pays on a page. */
      payer_phone: Generated<string | null>
      transfer_reference: string | null
      transfer_key: string | null
      note: string | null
      /** The gateway's last answer; null before the first question. */
      said: string | null
      evidence: string | null
      channel: string | null
      asked_at: Date | null
      next_ask_at: Date | null
      /** The time since which the gateway has answered no question. Null: it answered the last one. */
      unanswered_since: Date | null
      expires_at: Date | null
      reason: string | null
      decided_by: string | null
      approval_id: string | null
      one_person_limit: number | null
      /** The user of the operating system, or the sign-in at the desk, of a person who confirmed alone. Otherwise null. */
      decided_os_user: string | null
      /** True: the worker began it, because the balance fell below the account's floor. */
      is_by_floor: Generated<boolean>
      created_at: Generated<Date>
      ended_at: Date | null
    }
    /** Top-ups that were not over when they were old enough to be forgotten. */
    top_ups_to_forget: { top_up_id: string }
    balance_floors: {
      account_id: string
      /** Whole pesewas. */
      floor: number
      /** Whole pesewas that the wallet gets. */
      amount: number
      phone: string
      most_per_day: number
      /** The e-mail of the owner. */
      chosen_by: string
      chosen_at: Generated<Date>
      tried_at: Date | null
    }
    top_up_pictures: {
      top_up_id: string
      media_type: 'image/png' | 'image/jpeg'
      bytes: Buffer
      created_at: Generated<Date>
    }
  }
}
