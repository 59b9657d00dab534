import { sql } from 'kysely'
import { readDeveloperPolicy } from '../../accounts/developer/read-developer-policy.ts'
import type { Db } from '../../platform/database/database.ts'

/** The steps from the sign-up to the first order, in this order. */
export const setUpSteps = ['email', 'phone', 'two_factor', 'role', 'policy', 'key', 'approval', 'top_up', 'order'] as const

export type SetUpStep = {
  readonly step: (typeof setUpSteps)[number]
  readonly isDone: boolean
  readonly who: 'you' | 'operator'
}

export type SetUpProgress = { readonly isDismissed: boolean; readonly steps: readonly SetUpStep[] }

type Row = {
  has_two_factor: boolean
  email_verified: boolean
  is_phone_asked: boolean
  is_seller: boolean
  has_accepted: boolean
  has_key: boolean
  has_active_key: boolean
  has_money_come: boolean
  is_dismissed: boolean
}

/** Reads in one statement all that the steps depend on, except whether there are orders. */
async function readRow(db: Db, personId: string, accountId: string): Promise<Row> {
  const { rows } = await sql<Row>`
    select person.two_factor_enabled as has_two_factor, person.email_verified,
      exists (select from person_phones where person_id = person.id and asked_phone is not null) as is_phone_asked,
      account.role <> 'customer' and coalesce(account.role_expires_at > clock_timestamp(), true) as is_seller,
      exists (select from policy_acceptances as acceptance
        where acceptance.account_id = account.id and acceptance.version = ${readDeveloperPolicy().version}) as has_accepted,
      keys.has_key, keys.has_active_key,
      exists (select from wallets
        where wallets.account_id = account.id and wallets.purse = 'main' and last_entry_no > 0) as has_money_come,
      exists (select from set_up_dismissals as dismissal where dismissal.person_id = person.id) as is_dismissed
    from persons as person, accounts as account, lateral (
      select count(*) > 0 as has_key, count(*) filter (where status = 'active') > 0 as has_active_key
      from api_keys where account_id = account.id and status <> 'revoked' and type <> 'sms') as keys
    where person.id = ${personId} and account.id = ${accountId}`.execute(db)
  const row = rows[0]
  if (!row) throw new Error(`there is no person ${personId} or no account ${accountId}`)
  return row
}

/**
 * Reads which steps from the sign-up to the first order an account has done.
 *
 * @param hasOrdered whether the account has placed an order
 */
export async function readSetUp(
  { db, hasOrdered }: { readonly db: Db; readonly hasOrdered: (db: Db, accountId: string) => Promise<boolean> },
  { personId, accountId }: { readonly personId: string; readonly accountId: string },
): Promise<SetUpProgress> {
  const [row, isOrderPlaced] = await Promise.all([readRow(db, personId, accountId), hasOrdered(db, accountId)])
  const done: Record<SetUpStep['step'], boolean> = {
    email: row.email_verified,
    // A number is optional: this step is open only while a typed number is not confirmed.
    phone: !row.is_phone_asked,
    two_factor: row.has_two_factor,
    role: row.is_seller,
    policy: row.has_accepted,
    key: row.has_key,
    approval: row.has_active_key,
    top_up: row.has_money_come,
    order: isOrderPlaced,
  }
  return {
    isDismissed: row.is_dismissed,
    steps: setUpSteps.map((step) => ({
      step,
      isDone: done[step],
      who: step === 'role' || step === 'approval' ? 'operator' : 'you',
    })),
  }
}

export async function dismissSetUp(db: Db, personId: string): Promise<void> {
  await db
    .insertInto('set_up_dismissals')
    .values({ person_id: personId })
    .onConflict((conflict) => conflict.column('person_id').doNothing())
    .execute()
}
