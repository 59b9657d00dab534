import { sql } from 'kysely'
import { isAgreed } from '../../platform/approvals/two-people.ts'
import { idRules } from '../audit.ts'
import { liveDefaults } from '../money.settings.ts'

/**
 * The audit's rules for top-ups: each credited top-up has its transfer in the ledger, and two people confirmed a reseller's own
 * transfer above the limit of one person.
 */
export const topUpAuditChecks = idRules({
  top_up_without_its_transfer: (within) => sql`
    from (select * from top_ups where ${within(sql`id`)} and state = 'credited') as top_up
    full join (
      select * from transfers where ${within(sql`cause_id`)} and kind = 'top_up'
    ) as transfer on transfer.cause_id = top_up.id
    where top_up.id is null or transfer.cause_id is null
      or top_up.amount <> transfer.amount or top_up.account_id <> transfer.account_id
      or transfer.from_purse <> 'top_ups' or transfer.to_purse <> 'main'`,
  transfer_confirmed_by_one_above_the_limit: (within) => sql`
    from top_ups as top_up
    left join installation on installation.mode = 'live'
    left join (select * from approvals where ${isAgreed('top-up confirm')}) as agreed on agreed.id = top_up.approval_id
      and agreed.request ->> 'topUpId' = top_up.id::text and (agreed.request ->> 'amount')::bigint = top_up.amount
    where ${within(sql`top_up.id`)} and top_up.way = 'transfer' and top_up.state = 'credited' and agreed.id is null
      and (top_up.decided_by is null or top_up.approval_id is not null or top_up.amount > coalesce(top_up.one_person_limit,
        case when installation.mode is null then null else ${liveDefaults.main * 100}::bigint end))`,
})
