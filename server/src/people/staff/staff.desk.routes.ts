import { AccountError } from '../../accounts/account-error.ts'
import { GuardedChange, viewLoosened } from '../../guards/guarded-change.schemas.ts'
import type { Db } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import type { Api } from '../../platform/http/api.ts'
import { Envelope, ok } from '../../platform/http/envelope.ts'
import { ReasonBody } from '../../platform/http/given-reason.ts'
import { RefusalError, refuse } from '../../platform/http/refusals.ts'
import { Accepted, EndedSessions } from '../people.schemas.ts'
import type { PeopleDeps } from '../people-deps.ts'
import { approvalPermissions } from '../permissions/approval-permissions.ts'
import { type StaffPermission, staffPermissions, staffRoles } from '../permissions/staff-permissions.ts'
import { listSessions } from '../sessions.ts'
import { changeStaffRole } from './grant-role.ts'
import { inviteStaff, inviteStaffAgain, type StaffInvitation } from './invite-staff.ts'
import { endStaffSessions, findStaffEmail, listStaff, removeStaff } from './manage-staff.ts'
import { findPersonStanding, resetSecondFactor } from './reset-second-factor.ts'
import {
  FoundPerson,
  InvitedStaff,
  InviteStaffBody,
  PermissionTable,
  PersonQuery,
  ResetSecondFactorBody,
  StaffList,
  StaffPath,
  StaffRoleBody,
  StaffSessions,
} from './staff.schemas.ts'

const tags = ['Staff']
const accepted = { accepted: true } as const
const personNotFound = refuse(404, 'person_not_found', 'There is no such person.')

async function readEmail(db: Db, personId: string): Promise<string> {
  const email = await findStaffEmail(db, personId)
  if (email === undefined) throw new RefusalError(personNotFound)
  return email
}

const viewInvitation = ({ personId, email, isMailed, setUpLink, approvalId }: StaffInvitation) => ({
  person_id: personId,
  email,
  is_mailed: isMailed,
  set_up_link: setUpLink,
  approval_id: approvalId,
})

/** Every permission with its roles, and the kinds of proposals that it decides. */
function viewPermissions() {
  const names = Object.keys(staffPermissions) as StaffPermission[]
  return {
    roles: [...staffRoles],
    permissions: names.map((permission) => ({
      permission,
      roles: [...staffPermissions[permission]],
      approvals: Object.keys(approvalPermissions).filter((kind) => approvalPermissions[kind] === permission),
    })),
  }
}

function registerStaffLists(desk: Api, { db }: PeopleDeps): void {
  desk.get(
    '/staff',
    {
      config: { permission: 'see_log' },
      schema: {
        operationId: 'deskListStaff',
        tags,
        summary: 'Who works at the desk, oldest first',
        response: { 200: Envelope(StaffList) },
      },
    },
    async ({ person }) => {
      const staff = await listStaff(db)
      const owners = staff.filter(({ role }) => role === 'owner')
      return ok({
        staff: staff.map((each) => ({
          person_id: each.personId,
          name: each.name,
          email: each.email,
          role: each.role,
          has_two_factor: each.hasTwoFactor,
          is_invited: !each.hasPassword,
          is_last_owner: each.role === 'owner' && owners.length === 1,
          is_you: each.personId === person.personId,
          created_at: each.createdAt.toISOString(),
          sessions: each.sessions,
          last_used_at: each.lastUsedAt?.toISOString() ?? null,
        })),
      })
    },
  )
  desk.get(
    '/staff/permissions',
    {
      config: { permission: 'see' },
      schema: {
        operationId: 'deskListPermissions',
        tags,
        summary: 'Who may do what at the desk',
        response: { 200: Envelope(PermissionTable) },
      },
    },
    () => ok(viewPermissions()),
  )
}

function registerSessionList(desk: Api, { db }: PeopleDeps): void {
  desk.get(
    '/staff/:person_id/sessions',
    {
      config: { permission: 'manage_staff', refusals: [404] },
      schema: {
        operationId: 'deskListStaffSessions',
        tags,
        summary: 'Where somebody of the staff is signed in',
        params: StaffPath,
        response: { 200: Envelope(StaffSessions) },
      },
    },
    async ({ params: { person_id: personId } }) => {
      await readEmail(db, personId)
      const sessions = await listSessions(db, { personId })
      return ok({
        sessions: sessions.map(({ sessionId, address, userAgent, createdAt, lastUsedAt }) => ({
          session_id: sessionId,
          address,
          user_agent: userAgent,
          created_at: createdAt.toISOString(),
          last_used_at: lastUsedAt.toISOString(),
        })),
      })
    },
  )
}

function registerInvitations(desk: Api, deps: PeopleDeps): void {
  desk.post(
    '/staff',
    {
      config: { permission: 'manage_staff', isConfirmationNeeded: true, refusals: [409, 429] },
      schema: {
        operationId: 'deskInviteStaff',
        tags,
        summary: 'Let somebody in at the desk; a mail brings the link to set a password',
        body: InviteStaffBody,
        response: { 200: Envelope(InvitedStaff) },
      },
    },
    async ({ staff, person, ip, body: { email, role } }) => {
      await deps.throttle.count('invite', person.personId, ip)
      return ok(viewInvitation(await inviteStaff(deps, { email, role, person: staff.person })))
    },
  )
  desk.post(
    '/staff/:person_id/invitation',
    {
      config: { permission: 'manage_staff', isConfirmationNeeded: true, refusals: [404, 409, 429] },
      schema: {
        operationId: 'deskInviteStaffAgain',
        tags,
        summary: 'Send the mail of an invitation once more',
        params: StaffPath,
        response: { 200: Envelope(InvitedStaff) },
      },
    },
    async ({ staff, person, ip, params }) => {
      await deps.throttle.count('invite', person.personId, ip)
      const email = await readEmail(deps.db, params.person_id)
      return ok(viewInvitation(await inviteStaffAgain(deps, { email, actor: staff.actor })))
    },
  )
}

function registerStaffChanges(desk: Api, { db }: PeopleDeps): void {
  desk.post(
    '/staff/:person_id/role',
    {
      config: { permission: 'manage_staff', isConfirmationNeeded: true, refusals: [404, 409] },
      schema: {
        operationId: 'deskSetStaffRole',
        tags,
        summary: 'Give somebody of the staff another role; the last owner stays owner',
        description: 'What adds rights is proposed, and a second person confirms it; what takes some away is done at once.',
        params: StaffPath,
        body: StaffRoleBody,
        response: { 200: Envelope(GuardedChange) },
      },
    },
    async ({ staff: { person }, params, body: { role } }) => {
      const email = await readEmail(db, params.person_id)
      return ok(viewLoosened(await inTransaction(db, (tx) => changeStaffRole(tx, { email, role, person }))))
    },
  )
  desk.post(
    '/staff/:person_id/remove',
    {
      config: { permission: 'manage_staff', isConfirmationNeeded: true, refusals: [404, 409] },
      schema: {
        operationId: 'deskRemoveStaff',
        tags,
        summary: 'Take somebody off the staff; the last owner stays',
        params: StaffPath,
        body: ReasonBody,
        response: { 200: Envelope(Accepted) },
      },
    },
    async ({ staff: { actor }, params, body: { reason } }) => {
      const email = await readEmail(db, params.person_id)
      await inTransaction(db, (tx) => removeStaff(tx, { email, reason, actor }))
      return ok(accepted)
    },
  )
  desk.post(
    '/staff/:person_id/sessions/end',
    {
      config: { permission: 'manage_staff', isConfirmationNeeded: true, refusals: [404, 409] },
      schema: {
        operationId: 'deskEndStaffSessions',
        tags,
        summary: 'End every session of somebody of the staff',
        params: StaffPath,
        response: { 200: Envelope(EndedSessions) },
      },
    },
    async ({ staff: { actor }, params }) => {
      const email = await readEmail(db, params.person_id)
      const { ended } = await inTransaction(db, (tx) => endStaffSessions(tx, { email, actor }))
      return ok({ ended })
    },
  )
}

function registerSecondFactorReset(desk: Api, { db }: PeopleDeps): void {
  desk.get(
    '/persons',
    {
      config: { permission: 'manage_staff', refusals: [404] },
      schema: {
        operationId: 'deskFindPerson',
        tags,
        summary: 'Who signs in with an e-mail: one of the staff, or a reseller’s person',
        querystring: PersonQuery,
        response: { 200: Envelope(FoundPerson) },
      },
    },
    async ({ person: { personId }, query }) => {
      const found = await findPersonStanding(db, query.email)
      if (!found) throw new RefusalError(personNotFound)
      const { member } = found
      return ok({
        person_id: found.personId,
        name: found.name,
        email: found.email,
        has_two_factor: found.hasTwoFactor,
        staff_role: found.staffRole,
        member: member && { account_id: member.accountId, account_name: member.accountName, role: member.role },
        is_you: found.personId === personId,
      })
    },
  )
  desk.post(
    '/persons/reset-second-factor',
    {
      config: { permission: 'manage_staff', isConfirmationNeeded: true, refusals: [404, 409] },
      schema: {
        operationId: 'deskResetSecondFactor',
        tags,
        summary: 'Take a lost second factor away, of one of the staff or of a reseller’s person',
        description: 'The person’s sessions end, the password stays, and a mail tells the person.',
        body: ResetSecondFactorBody,
        response: { 200: Envelope(Accepted) },
      },
    },
    async ({ staff: { actor }, person, body: { email, reason } }) => {
      const found = await findPersonStanding(db, email)
      if (!found) throw new RefusalError(personNotFound)
      if (found.personId === person.personId) {
        throw new AccountError('Your own second factor you switch off yourself, with your password, on your own page.')
      }
      await inTransaction(db, (tx) => resetSecondFactor(tx, { email, reason, actor }))
      return ok(accepted)
    },
  )
}

export function registerStaffDeskRoutes(desk: Api, deps: PeopleDeps): void {
  registerStaffLists(desk, deps)
  registerSessionList(desk, deps)
  registerInvitations(desk, deps)
  registerStaffChanges(desk, deps)
  registerSecondFactorReset(desk, deps)
}
