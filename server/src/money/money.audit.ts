import { type RawBuilder, sql } from 'kysely'
import { isAgreed } from '../platform/approvals/two-people.ts'
import { type AuditCheck, type IdRules, idRules, withoutItsTransfer } from './audit.ts'
import { liveDefaults } from './money.settings.ts'

/** Every entry of every wallet: a transfer is one entry for each account's purse that it touches. */
const entries = sql`(
  select cause_id, account_id, from_purse as purse, from_entry_no as entry_no, -amount as change, from_balance_after as balance_after
  from transfers where from_entry_no is not null
  union all
  select cause_id, account_id, to_purse, to_entry_no, amount, to_balance_after
  from transfers where to_entry_no is not null)`

/**
 * The entries of each span, as a part of a `from`. They are looked up by an index of the wallet's entry numbers. In a plain
 * join PostgreSQL reads all entries of all wallets as soon as it expects some thousand entries. `offset 0` forbids that.
 */
const entriesOfSpan = sql`
  lateral (
    select * from ${entries} as entry
    where entry.account_id = span.account_id and entry.purse = span.purse
      and entry.entry_no > span.start_no and entry.entry_no <= span.end_no
    offset 0
  ) as entry`

/** Sums of each span's entries, joined as `since`. */
const joinEntries = (sums: RawBuilder<unknown>) => sql`
  left join lateral (select ${sums} from ${entriesOfSpan}) as since on true`

const walletDiffersFromItsTransfers: AuditCheck = {
  name: 'wallet_differs_from_its_transfers',
  pieces: 'wallets',
  badRows: ({ spans }) => sql`
    select count(*) as bad
    from ${spans} ${joinEntries(sql`sum(change) as change`)}
    where span.end_balance <> span.start_balance + coalesce(since.change, 0)`,
}

const walletBelowZero: AuditCheck = {
  name: 'wallet_below_zero',
  badRows: () => sql`select count(*) as bad from wallets where balance < 0`,
}

/**
 * The highest number of an entry in the span's wallet. `max` looks it up in each partition; `exists` would read all transfers.
 */
const highestEntry = sql`greatest(
  (select max(from_entry_no) from transfers where account_id = span.account_id and from_purse = span.purse),
  (select max(to_entry_no) from transfers where account_id = span.account_id and to_purse = span.purse))`

/**
 * Also finds a number that two entries have, in whatever partitions of the table they lie, and an entry above the wallet's last
 * number. Reads the wallet's row again, because new entries may have come since the first read.
 */
const gapInEntryNumbers: AuditCheck = {
  name: 'gap_in_entry_numbers',
  pieces: 'wallets',
  badRows: ({ spans }) => sql`
    select count(*) as bad
    from ${spans}
    join wallets on wallets.account_id = span.account_id and wallets.purse = span.purse
    ${joinEntries(sql`count(*) as entries, count(distinct entry_no) as numbers`)}
    where since.entries <> span.end_no - span.start_no or since.numbers <> since.entries
      or ${highestEntry} > wallets.last_entry_no`,
}

const balanceAfterDoesNotFollow: AuditCheck = {
  name: 'balance_after_does_not_follow',
  pieces: 'wallets',
  badRows: ({ spans }) => sql`
    select count(*) as bad
    from (
      select entry.balance_after, entry.change,
        lag(entry.balance_after, 1, span.start_balance)
          over (partition by span.account_id, span.purse order by entry.entry_no) as balance_before
      from ${spans} cross join ${entriesOfSpan}
    ) as line
    where balance_after <> balance_before + change`,
}

/**
 * The entry before a span must have the balance with which the span begins. So a wrong checkpoint is found. For an entry that
 * is put away, its noted balance counts.
 */
const checkpointDiffersFromItsEntry: AuditCheck = {
  name: 'checkpoint_differs_from_its_entry',
  pieces: 'wallets',
  badRows: ({ spans }) => sql`
    select count(*) as bad
    from ${spans}
    where span.start_no > 0 and not exists (select from ${entries} as entry
      where entry.account_id = span.account_id and entry.purse = span.purse and entry.entry_no = span.start_no
        and entry.balance_after = span.start_balance offset 0)
      and not exists (select from put_away_wallets as away
        where away.account_id = span.account_id and away.purse = span.purse and away.closing_no = span.start_no
          and away.closing_balance = span.start_balance)`,
}

const creditTakenBackMoreThanOnce: AuditCheck = {
  name: 'credit_taken_back_more_than_once',
  badRows: () => sql`
    select count(*) as bad
    from (select credit_id, sum(amount) as amount from wallet_corrections where credit_id is not null group by credit_id) as correction
    join wallet_credits as credit on credit.id = correction.credit_id
    where correction.amount > credit.amount`,
}

const rules: IdRules = {
  transfer_without_wallet: (within) => sql`
    from ${entries} as entry
    where ${within(sql`entry.cause_id`)}
      and not exists (select from wallets where wallets.account_id = entry.account_id and wallets.purse = entry.purse)`,
  /** Finds a new entry of a wallet whose row was not changed with it. */
  entry_above_the_last_of_its_wallet: (within) => sql`
    from ${entries} as entry join wallets on wallets.account_id = entry.account_id and wallets.purse = entry.purse
    where ${within(sql`entry.cause_id`)} and entry.entry_no > wallets.last_entry_no`,
  credit_without_its_transfer: withoutItsTransfer('wallet_credits', ['credit', 'sms_credit']),
  /**
   * A credit without a stored limit is compared with the default limit if the database is live. If it is not live, there is no
   * limit.
   */
  credit_above_the_limit_without_two_people: (within) => sql`
    from wallet_credits as credit
    left join installation on installation.mode = 'live'
    left join approvals as agreed on agreed.id = credit.approval_id and ${isAgreed('wallet credit', 'sms credit')}
      and (agreed.request ->> 'amount')::bigint = credit.amount and agreed.request ->> 'accountId' = credit.account_id::text
      and agreed.kind = case credit.purse when 'main' then 'wallet credit' else 'sms credit' end
    where ${within(sql`credit.id`)} and agreed.id is null and (credit.approval_id is not null or credit.amount > coalesce(credit.one_person_limit,
      case when installation.mode is null then null when credit.purse = 'main' then ${liveDefaults.main * 100}::bigint else ${liveDefaults.sms_credits}::bigint end))`,
  correction_without_its_approval: (within) => sql`
    from (select * from wallet_corrections where ${within(sql`id`)}) as correction
    full join (
      select * from transfers where ${within(sql`cause_id`)} and kind = 'correction'
    ) as transfer on transfer.cause_id = correction.id
    full join (
      select * from approvals where ${within(sql`id`)} and ${isAgreed('wallet correct', 'sms correct')}
    ) as agreed on agreed.id = correction.id
    where correction.id is null or transfer.cause_id is null or agreed.id is null
      or correction.amount <> transfer.amount or correction.purse <> transfer.from_purse
      or correction.account_id <> transfer.account_id
      or (agreed.request ->> 'amount')::bigint <> correction.amount
      or agreed.request ->> 'accountId' <> correction.account_id::text
      or agreed.kind <> case correction.purse when 'main' then 'wallet correct' else 'sms correct' end`,
}

export const moneyAuditChecks: readonly AuditCheck[] = [
  walletDiffersFromItsTransfers,
  walletBelowZero,
  gapInEntryNumbers,
  balanceAfterDoesNotFollow,
  checkpointDiffersFromItsEntry,
  ...idRules(rules),
  creditTakenBackMoreThanOnce,
]
