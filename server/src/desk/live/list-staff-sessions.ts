import { sql } from 'kysely'
import type { StaffRole } from '../../people/permissions/staff-permissions.ts'
import type { Db } from '../../platform/database/database.ts'

/** The sessions of these that are open and belong to staff, with the person's present role and second factor. */
export async function listStaffSessions(
  db: Db,
  sessionIds: readonly string[],
): Promise<{ readonly sessionId: string; readonly role: StaffRole; readonly hasTwoFactor: boolean }[]> {
  if (sessionIds.length === 0) return []
  const { rows } = await sql<{ id: string; role: StaffRole; has_two_factor: boolean }>`
    select session.id, staff.role, person.two_factor_enabled as has_two_factor
    from person_sessions as session
    join persons as person on person.id = session.person_id
    join staff on staff.person_id = person.id
    where session.id = any(${sessionIds}::uuid[]) and session.expires_at > clock_timestamp()`.execute(db)
  return rows.map(({ id, role, has_two_factor: hasTwoFactor }) => ({ sessionId: id, role, hasTwoFactor }))
}
