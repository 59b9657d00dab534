import type { ColumnType, Generated } from 'kysely'
import type { CampaignSource, CampaignStatus, MessageStatus } from './sms-statuses.ts'
import type { SmsEncoding, SmsSegmentRule } from './text/encode-text.ts'

declare module '../../platform/database/database.ts' {
  interface Tables {
    sms_senders: {
      id: string
      account_id: string | null
      sender: string
      status: 'requested' | 'approved' | 'rejected'
      is_default: Generated<boolean>
      requested_at: Generated<Date>
      decided_at: Date | null
      decided_by: string | null
      reason: string | null
    }
    sms_campaigns: {
      id: string
      account_id: string
      status: CampaignStatus
      source: CampaignSource
      sender: string
      message: string
      encoding: SmsEncoding
      segment_rule: SmsSegmentRule
      segments: number
      recipients: string[]
      left_out: Generated<string[]>
      names: string[] | null
      segments_of_each: number[] | null
      recipients_count: number
      credits_charged: number
      credits_refunded: Generated<number>
      open_count: number
      is_bulk: boolean
      blocked_by: string | null
      scheduled_at: Date | null
      paused_at: Date | null
      paused_by: string | null
      /** True: only the operator can resume it. */
      is_paused_by_operator: Generated<boolean>
      cancelled_at: Date | null
      cancelled_by: string | null
      cancel_reason: string | null
      is_cancelled_by_operator: Generated<boolean>
      created_at: Generated<Date>
      expanded_at: Date | null
      settled_at: Date | null
    }
    sms_credit_purchases: {
      id: string
      account_id: string
      reference: string
      credits: number
      /** Whole pesewas. */
      price: number
      /** The e-mail of the person who bought them. */
      actor: string
      created_at: Generated<Date>
    }
    sms_lists: { id: string; account_id: string; name: string; created_at: Generated<Date> }
    sms_contacts: { list_id: string; recipient: string; name: string | null; created_at: Generated<Date> }
    sms_drafts: {
      id: string
      account_id: string
      message: string
      recipients: string
      list_ids: string[]
      sender: string | null
      name_fallback: string | null
      updated_by: string
      updated_at: Generated<Date>
    }
    sms_messages: {
      campaign_id: string
      n: number
      recipient: string
      network: string
      is_bulk: boolean
      status: Generated<MessageStatus>
      submit: Generated<'waiting' | 'unanswered' | 'answered'>
      refused_by: ColumnType<string[], string, string>
      supplier: string | null
      claimed_at: Date | null
      /** True when the message was handed over once without an answer and then waited again. It stays true. */
      may_have_arrived: Generated<boolean>
      /** Set once the recipient was forgotten. */
      recipient_hash: Generated<Buffer | null>
      reason: string | null
      created_at: Generated<Date>
      status_updated_at: Generated<Date>
    }
    sms_links: {
      supplier: string
      state: 'bound' | 'down'
      seen_at: Generated<Date>
    }
    sms_parts: {
      campaign_id: string
      n: number
      part_no: number
      supplier: string
      message_key: string
      recipient_tail: string
      state: 'delivered' | 'undelivered' | 'expired' | 'rejected' | null
      created_at: Generated<Date>
    }
    sms_receipts: {
      id: string
      supplier: string
      message_keys: string[]
      recipient_tail: string | null
      state: 'delivered' | 'undelivered' | 'expired' | 'rejected' | 'underway'
      received_at: Generated<Date>
      matched_at: Date | null
    }
    sms_claims: { id: string; supplier: string; campaign_id: string; numbers: number[]; claimed_at: Generated<Date> }
    sms_windows: { supplier: string; holder: string; campaign_ids: string[]; numbers: number[] }
    sms_kept_answers: { id: string; supplier: string; answers: ColumnType<unknown, string, string> }
  }
}
