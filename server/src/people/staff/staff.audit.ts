import { sql } from 'kysely'
import type { AuditCheck } from '../../money/audit.ts'
import { grantKind } from './grant-role.ts'

const staffRightWithoutItsApproval: AuditCheck = {
  name: 'staff_right_without_its_approval',
  badRows: () => sql`
    select count(*) as bad from staff
    where role <> 'auditor' and not exists (
      select from loosenings where kind = ${grantKind.name} and subject = staff.person_id::text and value ->> 'role' = staff.role)`,
}

export const staffAuditChecks: readonly AuditCheck[] = [staffRightWithoutItsApproval]
