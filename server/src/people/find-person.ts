import { sql } from 'kysely'
import type { Role } from '../accounts/caller.ts'
import { callAuth } from './auth/call-auth.ts'
import { type Browser, headersFor } from './browser.ts'
import type { PeopleDeps, SetCookies } from './people-deps.ts'
import type { MemberRole } from './permissions/member-permissions.ts'
import { type StaffRole, staffPermissions } from './permissions/staff-permissions.ts'

/** A confirmation by password, code or passkey counts for this long. */
export const confirmationMinutes = 10

export type SignedInPerson = {
  readonly personId: string
  readonly sessionId: string
  readonly name: string
  readonly email: string
  readonly hasTwoFactor: boolean
  /** True: a lost second factor was removed, and the person must switch a new one on before anything else. */
  readonly isSecondFactorDue: boolean
  /** The time at which the second factor was reported as lost. Null: no report waits for the operator. */
  readonly factorLostAt: Date | null
  /** The end of the last confirmation by password, code or passkey; null when none counts now. */
  readonly confirmedUntil: Date | null
  readonly membership: Membership | undefined
  /** The account of which the person is a member, also while they view another one. */
  readonly ownAccountId: string | undefined
  readonly staffRole: StaffRole | undefined
  /**
   * The open view in which a staff member sees an account as its reseller does. While it is set, `membership` is that of the
   * viewed account.
   */
  readonly view: { readonly endsAt: Date } | undefined
}

/** The account that a person acts for. */
export type Membership = {
  readonly accountId: string
  readonly role: MemberRole
  readonly accountName: string
  readonly accountEmail: string
  readonly accountRole: Role
  /** Null for a role that never expires, and for a customer. */
  readonly accountRoleExpiresAt: Date | null
  readonly accountStatus: 'active' | 'suspended'
}

/** The last use of a session is stored with this precision, so that not every request writes. */
const useMinutes = 5

type Row = {
  is_use_to_note: boolean
  name: string
  email: string
  has_two_factor: boolean
  is_second_factor_due: boolean
  factor_lost_at: Date | null
  confirmed_until: Date | null
  staff_role: StaffRole | null
  own_account_id: string | null
  account_id: string | null
  member_role: MemberRole | null
  account_name: string | null
  account_email: string | null
  account_role: Role | null
  account_role_expires_at: Date | null
  account_status: Membership['accountStatus'] | null
  view_ends_at: Date | null
}

function membershipOf(row: Row): Membership | undefined {
  const { account_id, member_role, account_name, account_email, account_role, account_status } = row
  if (!account_id || !member_role || account_name === null || account_email === null || !account_role || !account_status) {
    return undefined
  }
  return {
    accountId: account_id,
    role: member_role,
    accountName: account_name,
    accountEmail: account_email,
    accountRole: account_role,
    accountRoleExpiresAt: row.account_role_expires_at,
    accountStatus: account_status,
  }
}

/**
 * Reads all that a request's permissions depend on. Reads it for each request, so that a permission that is taken away ends at
 * once. An open view replaces the person's own account while the staff role still permits views.
 */
async function readPerson(
  { db, isStaffTwoFactorNeeded }: Pick<PeopleDeps, 'db' | 'isStaffTwoFactorNeeded'>,
  personId: string,
  sessionId: string,
): Promise<Row | undefined> {
  const viewingRoles: readonly StaffRole[] = staffPermissions.manage_accounts
  const { rows } = await sql<Row>`
    select session.updated_at < clock_timestamp() - make_interval(mins => ${useMinutes}) as is_use_to_note, person.name, person.email, person.two_factor_enabled as has_two_factor,
      person.is_second_factor_due, lost.asked_at as factor_lost_at,
      case when session.confirmed_at > clock_timestamp() - make_interval(mins => ${confirmationMinutes})
        then session.confirmed_at + make_interval(mins => ${confirmationMinutes}) end as confirmed_until,
      staff.role as staff_role, members.account_id as own_account_id, account.id as account_id, view.ends_at as view_ends_at,
      case when view.session_id is null then members.role else 'viewer' end as member_role,
      account.name as account_name, account.email as account_email, account.role as account_role,
      account.role_expires_at as account_role_expires_at, account.status as account_status
    from person_sessions as session
    join persons as person on person.id = session.person_id
    left join lost_factors as lost on lost.person_id = person.id
    left join staff on staff.person_id = person.id
    left join members on members.person_id = person.id
    left join account_views as view on view.session_id = session.id and view.person_id = person.id
      and view.ends_at > clock_timestamp() and staff.role = any(${viewingRoles}::text[])
      and (person.two_factor_enabled or not ${isStaffTwoFactorNeeded}::boolean)
    left join accounts as account on account.id = coalesce(view.account_id, members.account_id)
    where session.id = ${sessionId} and person.id = ${personId}`.execute(db)
  return rows[0]
}

/**
 * Finds the person of a browser's session.
 * @returns undefined when the browser has no open session; `cookies` prolong the session in the browser
 */
export async function findPerson(
  deps: Pick<PeopleDeps, 'db' | 'openAuth' | 'isStaffTwoFactorNeeded'>,
  browser: Browser,
): Promise<(SetCookies & { readonly person: SignedInPerson }) | undefined> {
  if (browser.session === undefined) return undefined
  const auth = await deps.openAuth()
  const { response, cookies } = await callAuth(() =>
    auth.api.getSession({ headers: headersFor(browser, 'session'), returnHeaders: true }),
  )
  if (!response) return undefined
  const { user, session } = response
  const row = await readPerson(deps, user.id, session.id)
  if (!row) return undefined
  if (row.is_use_to_note) {
    await sql`update person_sessions set updated_at = clock_timestamp() where id = ${session.id}`.execute(deps.db)
  }
  const person = {
    personId: user.id,
    sessionId: session.id,
    name: row.name,
    email: row.email,
    hasTwoFactor: row.has_two_factor,
    isSecondFactorDue: row.is_second_factor_due,
    factorLostAt: row.factor_lost_at,
    confirmedUntil: row.confirmed_until,
    membership: membershipOf(row),
    ownAccountId: row.own_account_id ?? undefined,
    staffRole: row.staff_role ?? undefined,
    view: row.view_ends_at ? { endsAt: row.view_ends_at } : undefined,
  }
  return { person, cookies }
}
