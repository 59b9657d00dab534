import { sql } from 'kysely'
import type { AuditCheck } from '../../money/audit.ts'
import { lostFactorReset } from '../lost-factor/lost-factor.settings.ts'
import { grantKind } from './grant-role.ts'

const staffRightWithoutItsApproval: AuditCheck = {
  name: 'staff_right_without_its_approval',
  badRows: () => sql`
    select count(*) as bad from staff
    where role <> 'auditor' and not exists (
      select from loosenings where kind = ${grantKind.name} and subject = staff.person_id::text and value ->> 'role' = staff.role)`,
}

/**
 * A second factor is taken away after two of the staff agreed, or, where nobody else could agree, after a wait. The setting allows
 * waits from one hour.
 */
const factorTakenAwayWithoutItsApproval: AuditCheck = {
  name: 'second_factor_taken_away_without_its_approval',
  badRows: () => sql`
    select count(*) as bad
    from operator_log as line
    left join approvals on approvals.id::text = line.details ->> 'approval_id'
    left join loosening_notices as notice on notice.approval_id = approvals.id
    where line.action = ${lostFactorReset} and (
      approvals.id is null or approvals.state <> 'done' or approvals.kind <> line.action or approvals.subject <> line.subject
      or lower(approvals.decided_by) = lower(approvals.proposed_by) or approvals.decided_person_id = approvals.proposed_person_id
      or (approvals.decided_by = 'worker' and coalesce(notice.notified_at > approvals.decided_at - interval '1 hour', true)))`,
}

export const staffAuditChecks: readonly AuditCheck[] = [staffRightWithoutItsApproval, factorTakenAwayWithoutItsApproval]
