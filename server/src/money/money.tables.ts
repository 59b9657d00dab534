import type { ColumnType, Generated } from 'kysely'
import type { RecordedHead } from '../platform/chains/recorded-heads.ts'

/** A purse of an account. `main` and `commission` hold pesewas, `sms_credits` holds credits. */
export type AccountPurse = 'main' | 'commission' | 'sms_credits'

/**
 * A purse of the platform. It has no balance row: its balance is the sum of its transfers. `sms_credit_sales` and
 * `sms_sales` count credits, the others pesewas.
 */
export type PlatformPurse = 'sales' | 'top_ups' | 'commission_expense' | 'sms_credit_sales' | 'sms_sales' | 'adjustments'

/** Unique together with the id of the cause, so that each kind of transfer happens once for a cause. */
export type TransferKind =
  | 'purchase'
  | 'refund'
  | 'commission'
  | 'commission_move'
  | 'credit'
  | 'correction'
  | 'adjustment'
  | 'sms_credit'
  | 'sms_refund'
  | 'credits_paid'
  | 'credits_bought'
  | 'top_up'

declare module '../platform/database/database.ts' {
  interface Tables {
    wallets: {
      account_id: string
      purse: AccountPurse
      balance: Generated<number>
      last_entry_no: Generated<number>
    }
    transfers: {
      cause_id: string
      kind: TransferKind
      account_id: string
      from_purse: AccountPurse | PlatformPurse
      to_purse: AccountPurse | PlatformPurse
      amount: number
      from_entry_no: number | null
      to_entry_no: number | null
      from_balance_after: number | null
      to_balance_after: number | null
      transaction_id: ColumnType<string, never, never>
      era: ColumnType<number, never, never>
      created_at: Generated<Date>
      note: string | null
    }
    wallet_credits: {
      id: string
      account_id: string
      purse: AccountPurse
      external_id: string | null
      amount: number
      note: string | null
      actor: string
      /** The approval, for a credit that two people agreed on. */
      approval_id: string | null
      /** The limit of one person at that moment. Null where none was stored, as for demo money. */
      one_person_limit: number | null
      /**
       * The user of the operating system, or the sign-in at the desk, of the person who credited alone. Null: two people, or
       * demo money.
       */
      os_user: string | null
      /** The page's reference of a credit at the desk. */
      page_reference: Generated<string | null>
      created_at: Generated<Date>
    }
    wallet_corrections: {
      /** Equal to the id of its approval. */
      id: string
      account_id: string
      purse: 'main' | 'sms_credits'
      /** The corrected credit; null when it corrects none. */
      credit_id: string | null
      amount: number
      reason: string
      actor: string
      created_at: Generated<Date>
    }
    wallet_checkpoints: {
      account_id: string
      purse: AccountPurse
      entry_no: number
      balance: number
      keyed_hash: Buffer
      proven_at: Generated<Date>
    }
    /** One row at most. */
    audit_proof: {
      only_row: Generated<boolean>
      proven_at: Date
      everything_at: Date
      blocks: ColumnType<RecordedHead[], string, string>
      keyed_hash: Buffer
    }
    /** The entries of wallets that are put away. Only database functions of the tables' owner write this table. */
    put_away_wallets: {
      month: ColumnType<string, never, never>
      account_id: ColumnType<string, never, never>
      purse: ColumnType<AccountPurse, never, never>
      opening_no: ColumnType<number, never, never>
      opening_balance: ColumnType<number, never, never>
      closing_no: ColumnType<number, never, never>
      closing_balance: ColumnType<number, never, never>
    }
  }
}
