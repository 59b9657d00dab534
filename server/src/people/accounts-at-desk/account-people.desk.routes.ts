import { readAccount } from '../../accounts/find-account.ts'
import type { Tx } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import type { Api } from '../../platform/http/api.ts'
import { Envelope, ok } from '../../platform/http/envelope.ts'
import { ReasonBody } from '../../platform/http/given-reason.ts'
import { RefusalError } from '../../platform/http/refusals.ts'
import { findMemberEmail, removeMember, setMemberRole } from '../manage-people.ts'
import { peopleRefusals } from '../people.refusals.ts'
import { Accepted } from '../people.schemas.ts'
import type { PeopleDeps } from '../people-deps.ts'
import type { MemberRole } from '../permissions/member-permissions.ts'
import type { StaffRole } from '../permissions/staff-permissions.ts'
import { inviteMember, withdrawInvitation } from '../team/invite-member.ts'
import { endView, startView } from '../views/view-as-reseller.ts'
import {
  AccountInvitationPath,
  AccountMemberPath,
  AccountPath,
  MemberInviteBody,
  MemberRoleChangeBody,
  ViewStarted,
} from './account-desk.schemas.ts'

const tags = ['Accounts']
const accepted = { accepted: true } as const

async function readEmail(tx: Tx, { account_id: accountId, person_id: personId }: { account_id: string; person_id: string }) {
  const email = await findMemberEmail(tx, accountId, personId)
  if (email === undefined) throw new RefusalError(peopleRefusals.memberNotFound)
  return email
}

/**
 * Checks that the caller may give somebody the role of a buyer or owner. Such a person can buy with the account's money, so
 * once an account has an owner, only its owners and the owners of the desk may give these roles.
 * @throws RefusalError 403 for all others of the staff
 */
async function checkMayGiveRole(
  tx: Tx,
  { accountId, role, staffRole }: { accountId: string; role: MemberRole; staffRole: StaffRole | undefined },
): Promise<void> {
  if (role === 'viewer' || staffRole === 'owner') return
  const owner = await tx
    .selectFrom('members')
    .select('person_id')
    .where('account_id', '=', accountId)
    .where('role', '=', 'owner')
    .limit(1)
    .executeTakeFirst()
  if (owner) throw new RefusalError(peopleRefusals.ownersLetIn)
}

function registerInvitationRoutes(desk: Api, deps: PeopleDeps): void {
  desk.post(
    '/accounts/:account_id/invitations',
    {
      config: { permission: 'manage_accounts', isConfirmationNeeded: true, refusals: [409, 429] },
      schema: {
        operationId: 'deskInviteMember',
        tags,
        summary: 'Ask somebody by mail to join an account',
        params: AccountPath,
        body: MemberInviteBody,
        response: { 200: Envelope(Accepted) },
      },
    },
    async ({ params, body: { email, role }, staff: { actor }, person, ip }) => {
      await deps.throttle.count('invite', person.personId, ip)
      await inTransaction(deps.db, async (tx) => {
        const { accountId } = await readAccount(tx, params.account_id)
        await checkMayGiveRole(tx, { accountId, role, staffRole: person.staffRole })
        await inviteMember(tx, { email, role, accountId, actor })
      })
      return ok(accepted)
    },
  )
  desk.delete(
    '/accounts/:account_id/invitations/:invitation_id',
    {
      config: { permission: 'manage_accounts', isConfirmationNeeded: true, refusals: [404] },
      schema: {
        operationId: 'deskWithdrawInvitation',
        tags,
        summary: 'Take an invitation back',
        params: AccountInvitationPath,
        response: { 200: Envelope(Accepted) },
      },
    },
    async ({ params, staff: { actor } }) => {
      const asked = { accountId: params.account_id, invitationId: params.invitation_id, actor }
      if (!(await inTransaction(deps.db, (tx) => withdrawInvitation(tx, asked)))) {
        throw new RefusalError(peopleRefusals.memberNotFound)
      }
      return ok(accepted)
    },
  )
}

function registerMemberRoutes(desk: Api, { db }: PeopleDeps): void {
  desk.put(
    '/accounts/:account_id/members/:person_id/role',
    {
      config: { permission: 'manage_accounts', isConfirmationNeeded: true, refusals: [404, 409] },
      schema: {
        operationId: 'deskSetMemberRole',
        tags,
        summary: 'Give a member of an account another role',
        description: 'The last owner stays owner.',
        params: AccountMemberPath,
        body: MemberRoleChangeBody,
        response: { 200: Envelope(Accepted) },
      },
    },
    async ({ params, body: { role, reason }, staff: { actor }, person: { staffRole } }) => {
      await inTransaction(db, async (tx) => {
        await checkMayGiveRole(tx, { accountId: params.account_id, role, staffRole })
        const email = await readEmail(tx, params)
        await setMemberRole(tx, { account: params.account_id, email, role, reason, actor })
      })
      return ok(accepted)
    },
  )
  desk.post(
    '/accounts/:account_id/members/:person_id/remove',
    {
      config: { permission: 'manage_accounts', isConfirmationNeeded: true, refusals: [404, 409] },
      schema: {
        operationId: 'deskRemoveMember',
        tags,
        summary: 'Take a member out of an account',
        description: 'The member’s sessions end. The last owner stays.',
        params: AccountMemberPath,
        body: ReasonBody,
        response: { 200: Envelope(Accepted) },
      },
    },
    async ({ params, body: { reason }, staff: { actor } }) => {
      await inTransaction(db, async (tx) => {
        const email = await readEmail(tx, params)
        await removeMember(tx, { account: params.account_id, email, reason, actor })
      })
      return ok(accepted)
    },
  )
}

function registerViewRoutes(desk: Api, { db }: PeopleDeps): void {
  desk.post(
    '/accounts/:account_id/view',
    {
      config: { permission: 'manage_accounts', isConfirmationNeeded: true, refusals: [409] },
      schema: {
        operationId: 'deskStartView',
        tags,
        summary: 'See the app as an account’s reseller sees it',
        description:
          'For some minutes, in this session alone, and reading only: every other request under `/app/api` is answered 403. Beginning and end stand in the operator’s log.',
        params: AccountPath,
        body: ReasonBody,
        response: { 200: Envelope(ViewStarted) },
      },
    },
    async ({ params, body: { reason }, person }) => {
      const view = { viewer: person, accountId: params.account_id, reason }
      const { endsAt } = await inTransaction(db, (tx) => startView(tx, view))
      return ok({ ends_at: endsAt.toISOString() })
    },
  )
  desk.post(
    '/view/end',
    {
      config: { permission: 'person' },
      schema: {
        operationId: 'deskEndView',
        tags,
        summary: 'End the view of an account in this session, if there is one',
        response: { 200: Envelope(Accepted) },
      },
    },
    async ({ person }) => {
      await endView(db, person)
      return ok(accepted)
    },
  )
}

export function registerAccountPeopleDeskRoutes(desk: Api, deps: PeopleDeps): void {
  registerInvitationRoutes(desk, deps)
  registerMemberRoutes(desk, deps)
  registerViewRoutes(desk, deps)
}
