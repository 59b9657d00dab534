import { sql } from 'kysely'
import type { AuditCheck } from '../money/audit.ts'
import { creditLimitOnePerson, liveDefaults, smsCreditLimitOnePerson } from '../money/money.settings.ts'
import { transferInstructions } from '../money/top-ups/top-ups.settings.ts'
import { alertSettings } from '../notices/notices.settings.ts'
import { singleOperator } from '../platform/approvals/two-people.ts'

const looseningWithoutItsApproval: AuditCheck = {
  name: 'loosening_without_its_approval',
  badRows: () => sql`
    select count(*) as bad
    from loosenings
    left join approvals on approvals.id = loosenings.approval_id
    left join loosening_notices as notice on notice.approval_id = approvals.id
    where (loosenings.approval_id is null and exists (select from transfers where created_at < loosenings.at))
      or (loosenings.approval_id is not null and (
        approvals.state <> 'done' or approvals.kind <> loosenings.kind or approvals.subject <> loosenings.subject
        or approvals.request <> loosenings.value or lower(approvals.decided_by) = lower(approvals.proposed_by)
        or approvals.decided_person_id = approvals.proposed_person_id
        or (approvals.decided_by = 'worker' and coalesce(notice.notified_at > approvals.decided_at - interval '24 hours', true))))`,
}

const limitOf = (value: 'before' | 'after') => sql`
  case when jsonb_typeof(${sql.ref(value)}) = 'number' then ${sql.ref(value)}::numeric
    when installation.mode is null then 'Infinity'
    when line.subject = ${creditLimitOnePerson.name} then ${liveDefaults.main} else ${liveDefaults.sms_credits} end`

/**
 * Finds lines of the operator's log that loosen a guarded setting and do not name a row of `loosenings`. The rule compares the
 * values itself, because the code that wrote the line may not have asked for approval.
 */
const settingLoosenedWithoutItsApproval: AuditCheck = {
  name: 'setting_loosened_without_its_approval',
  badRows: () => sql`
    select count(*) as bad
    from operator_log as line
    cross join lateral (select line.details -> 'before' as before, line.details -> 'after' as after) as change
    left join installation on installation.mode = 'live'
    where line.action = 'setting set'
      and case
        when line.subject = any(${[creditLimitOnePerson.name, smsCreditLimitOnePerson.name]}::text[])
          then ${limitOf('after')} > ${limitOf('before')}
        when line.subject = ${singleOperator.name} then after = 'true' and before = 'false'
        when line.subject = ${transferInstructions.name} then after <> before and after <> '""'
        when line.subject = any(${alertSettings.map(({ name }) => name)}::text[]) then after <> before and before <> '""'
        else false
      end
      and not exists (
        select from loosenings where id::text = line.details ->> 'loosening_id' and kind = 'setting set'
          and subject = line.subject and value -> 'value' = after)`,
}

/** Scheme, host and port of an address in a line of the log, without the default port of HTTPS. */
const placeIn = (value: 'before' | 'after') => sql`
  regexp_replace(lower(substring(details -> ${value} ->> 'base_url' from '^[^:]+://[^/]*')), '^(https://.*):443$', '\\1')`

/** True when a line of the log changes a supplier's adapter, or the scheme, host or port of its address. */
const isMoved = sql`(details -> 'before' ->> 'adapter' <> details -> 'after' ->> 'adapter' or ${placeIn('before')} <> ${placeIn('after')})`

/** True when a line of the log gives a supplier its first address. Such a supplier keeps its credentials. */
const isFirstAddress = sql`(details -> 'before' ->> 'base_url' is null and details -> 'after' ->> 'base_url' is not null)`

/**
 * Lines of the operator's log that change the secrets of a gateway or supplier, or the address that gets them. A supplier
 * without stored secrets is left out. When a supplier's address changes without new credentials, the stored ones are removed.
 */
const secretLines = sql`
  select at, action, subject, details from operator_log
  where action = 'gateway set' and (details -> 'credentials_set' <> '[]'
    or details -> 'before' ->> 'base_url' <> details -> 'after' ->> 'base_url')
  union all
  select at, action, subject, details from operator_log as line
  where action = 'supplier set' and (details -> 'credentials' is not null or ${isMoved} or ${isFirstAddress})
    and (
      select details -> 'credentials' is not null from operator_log
      where action = 'supplier set' and subject = line.subject and id < line.id and (details -> 'credentials' is not null or ${isMoved})
      order by id desc limit 1)`

const secretWithoutItsApproval: AuditCheck = {
  name: 'secret_changed_without_its_approval',
  badRows: () => sql`
    select count(*) as bad
    from (${secretLines}) as line
    where exists (select from transfers where created_at < line.at)
      and not exists (
        select from loosenings where id::text = line.details ->> 'loosening_id' and kind = line.action and subject = line.subject)`,
}

/** The rules that find guards of money and rights that were loosened without two people. */
export const guardAuditChecks: readonly AuditCheck[] = [
  looseningWithoutItsApproval,
  settingLoosenedWithoutItsApproval,
  secretWithoutItsApproval,
]
