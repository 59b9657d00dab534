import { type RawBuilder, sql } from 'kysely'
import { isAgreed } from '../platform/approvals/is-agreed.ts'
import type { AuditCheck, AuditScope } from './audit.ts'
import { liveDefaults } from './money.settings.ts'

/** Every entry of every wallet: a transfer is one entry for each account's purse that it touches. */
const entries = sql`(
  select account_id, from_purse as purse, from_entry_no as entry_no, -amount as change, from_balance_after as balance_after
  from transfers where from_entry_no is not null
  union all
  select account_id, to_purse, to_entry_no, amount, to_balance_after
  from transfers where to_entry_no is not null)`

/** Where each wallet's proof begins: nothing, or its checkpoint. */
function checkpoints({ isFull }: AuditScope): RawBuilder<unknown> {
  return isFull
    ? sql`(select account_id, purse, 0::bigint as entry_no, 0::bigint as balance from wallets)`
    : sql`(select wallets.account_id, wallets.purse, coalesce(entry_no, 0) as entry_no, coalesce(wallet_checkpoints.balance, 0) as balance
        from wallets left join wallet_checkpoints using (account_id, purse))`
}

/**
 * Adds up each wallet's entries since its proof begins, and joins them as `since`. A full proof reads all transfers once; one
 * from the checkpoints finds the few entries of each wallet by index.
 */
function joinEntriesSince({ isFull }: AuditScope, sums: RawBuilder<unknown>): RawBuilder<unknown> {
  return isFull
    ? sql`left join (select account_id, purse, ${sums} from ${entries} as entry group by account_id, purse) as since using (account_id, purse)`
    : sql`left join lateral (
        select ${sums} from ${entries} as entry
        where entry.account_id = wallets.account_id and entry.purse = wallets.purse and entry.entry_no > start.entry_no
      ) as since on true`
}

const walletDiffersFromItsTransfers: AuditCheck = {
  name: 'wallet_differs_from_its_transfers',
  badRows: (scope) => sql`
    select count(*) as bad
    from wallets
    join ${checkpoints(scope)} as start using (account_id, purse)
    ${joinEntriesSince(scope, sql`sum(change) as change`)}
    where wallets.balance <> start.balance + coalesce(since.change, 0)`,
}

const walletBelowZero: AuditCheck = {
  name: 'wallet_below_zero',
  badRows: () => sql`select count(*) as bad from wallets where balance < 0`,
}

const gapInEntryNumbers: AuditCheck = {
  name: 'gap_in_entry_numbers',
  badRows: (scope) => sql`
    select count(*) as bad
    from wallets
    join ${checkpoints(scope)} as start using (account_id, purse)
    ${joinEntriesSince(scope, sql`count(distinct entry_no) as entries, max(entry_no) as last`)}
    where coalesce(since.entries, 0) <> wallets.last_entry_no - start.entry_no
      or (since.entries > 0 and since.last <> wallets.last_entry_no)`,
}

const balanceAfterDoesNotFollow: AuditCheck = {
  name: 'balance_after_does_not_follow',
  badRows: (scope) => sql`
    select count(*) as bad
    from (
      select entry.balance_after, entry.change,
        lag(entry.balance_after, 1, start.balance) over (partition by account_id, purse order by entry.entry_no) as balance_before
      from ${entries} as entry
      join ${checkpoints(scope)} as start using (account_id, purse)
      where entry.entry_no > start.entry_no
    ) as line
    where balance_after <> balance_before + change`,
}

const transferWithoutWallet: AuditCheck = {
  name: 'transfer_without_wallet',
  badRows: () => sql`
    select count(*) as bad from ${entries} as entry
    where not exists (select from wallets where wallets.account_id = entry.account_id and wallets.purse = entry.purse)`,
}

const creditWithoutItsTransfer: AuditCheck = {
  name: 'credit_without_its_transfer',
  badRows: () => sql`
    select count(*) as bad
    from wallet_credits
    full join (select * from transfers where kind in ('credit', 'sms_credit')) as transfer on transfer.cause_id = wallet_credits.id
    where wallet_credits.id is null or transfer.cause_id is null
      or wallet_credits.amount <> transfer.amount or wallet_credits.account_id <> transfer.account_id`,
}

/** A credit without a stored limit is held to the default limit if the database is live, and to none if it is not. */
const creditAboveTheLimitWithoutTwoPeople: AuditCheck = {
  name: 'credit_above_the_limit_without_two_people',
  badRows: () => sql`
    select count(*) as bad
    from wallet_credits as credit
    left join installation on installation.mode = 'live'
    left join approvals as agreed on agreed.id = credit.approval_id and ${isAgreed('wallet credit', 'sms credit')}
      and (agreed.request ->> 'amount')::bigint = credit.amount and agreed.request ->> 'accountId' = credit.account_id::text
      and agreed.kind = case credit.purse when 'main' then 'wallet credit' else 'sms credit' end
    where agreed.id is null and (credit.approval_id is not null or credit.amount > coalesce(credit.one_person_limit,
      case when installation.mode is null then null when credit.purse = 'main' then ${liveDefaults.main * 100}::bigint else ${liveDefaults.sms_credits}::bigint end))`,
}

const correctionWithoutItsApproval: AuditCheck = {
  name: 'correction_without_its_approval',
  badRows: ({ firstOrderId }) => sql`
    select count(*) as bad
    from (select * from wallet_corrections where id >= ${firstOrderId}::uuid) as correction
    full join (
      select * from transfers where cause_id >= ${firstOrderId}::uuid and kind = 'correction'
    ) as transfer on transfer.cause_id = correction.id
    full join (
      select * from approvals where id >= ${firstOrderId}::uuid and ${isAgreed('wallet correct', 'sms correct')}
    ) as agreed on agreed.id = correction.id
    where correction.id is null or transfer.cause_id is null or agreed.id is null
      or correction.amount <> transfer.amount or correction.purse <> transfer.from_purse
      or correction.account_id <> transfer.account_id
      or (agreed.request ->> 'amount')::bigint <> correction.amount
      or agreed.request ->> 'accountId' <> correction.account_id::text
      or agreed.kind <> case correction.purse when 'main' then 'wallet correct' else 'sms correct' end`,
}

const creditTakenBackMoreThanOnce: AuditCheck = {
  name: 'credit_taken_back_more_than_once',
  badRows: () => sql`
    select count(*) as bad
    from (select credit_id, sum(amount) as amount from wallet_corrections where credit_id is not null group by credit_id) as correction
    join wallet_credits as credit on credit.id = correction.credit_id
    where correction.amount > credit.amount`,
}

/** The rules of the ledger (the books balance, no entry is missing), and of what people credit and correct by hand. */
export const moneyAuditChecks: readonly AuditCheck[] = [
  walletDiffersFromItsTransfers,
  walletBelowZero,
  gapInEntryNumbers,
  balanceAfterDoesNotFollow,
  transferWithoutWallet,
  creditWithoutItsTransfer,
  creditAboveTheLimitWithoutTwoPeople,
  correctionWithoutItsApproval,
  creditTakenBackMoreThanOnce,
]
