import Type from 'typebox'
import type { Tx } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { RefusalError } from '../../platform/http/refusals.ts'
import { GivenReason, Uuid } from '../../platform/http/schemas.ts'
import { NeededAtDesk } from '../../platform/operations/fields.ts'
import { type Actor, operation } from '../../platform/operations/operation.ts'
import { lostFactorOperations } from '../lost-factor/lost-factor.operations.ts'
import { findMemberEmail, listMembers, removeMember, setMemberRole } from '../manage-people.ts'
import { peopleRefusals } from '../people.refusals.ts'
import { Accepted, accepted, Email } from '../people.schemas.ts'
import type { MemberRole } from '../permissions/member-permissions.ts'
import { describePersons, PersonIdByEmail, PrintedPerson, replaceEmailById } from '../staff/typed-person.ts'
import { inviteMember, withdrawInvitation } from '../team/invite-member.ts'
import { countInvitation, type Throttle } from '../throttle.ts'
import { MemberRoleChoice } from './account-desk.schemas.ts'

async function readEmail(tx: Tx, { accountId, personId }: { readonly accountId: string; readonly personId: string }) {
  const email = await findMemberEmail(tx, accountId, personId)
  if (email === undefined) throw new RefusalError(peopleRefusals.memberNotFound)
  return email
}

/**
 * Checks who may give the roles `buyer` and `owner`, which may spend the account's money. Once the account has an owner, only
 * its owners and the owners of the desk may.
 * @throws RefusalError 403 for all others of the staff
 */
async function checkMayGiveRole(
  tx: Tx,
  { may }: Actor,
  { accountId, role }: { accountId: string; role: MemberRole },
): Promise<void> {
  // Only the owners of the desk manage its staff.
  if (role === 'viewer' || may('manage_staff')) return
  const owner = await tx
    .selectFrom('members')
    .select('person_id')
    .where('account_id', '=', accountId)
    .where('role', '=', 'owner')
    .limit(1)
    .executeTakeFirst()
  if (owner) throw new RefusalError(peopleRefusals.ownersLetIn)
}

const accountId = Uuid()
const changing = { tag: 'Accounts', permission: 'manage_accounts', isConfirmationNeeded: true, output: Accepted } as const

export const memberOperations = [
  operation({
    command: 'member list',
    example: 'makola member list --account ama@example.com',
    summary: 'List the persons of an account',
    input: Type.Object({ accountId }),
    output: Type.Array(PrintedPerson),
    act: ({ db }, _actor, asked) => listMembers(db, asked.accountId),
    text: (members) => describePersons(members) || 'Nobody signs in with a browser for this account.',
  }),
  operation({
    ...changing,
    command: 'member set-role',
    example: 'makola member set-role --account ama@example.com --email kofi@example.com --role viewer',
    route: 'PUT /accounts/:account_id/members/:person_id/role',
    operationId: 'deskSetMemberRole',
    refusals: [404, 409],
    summary: 'Give a member of an account another role',
    description: 'The last owner stays owner.',
    input: Type.Object({
      accountId,
      personId: PersonIdByEmail(Uuid()),
      role: MemberRoleChoice,
      reason: NeededAtDesk(GivenReason),
    }),
    find: replaceEmailById,
    printed: Type.Object({ personId: Uuid(), email: Type.String(), role: MemberRoleChoice }),
    act: ({ db }, who, { accountId: account, personId, role, ...given }) =>
      inTransaction(db, async (tx) => {
        await checkMayGiveRole(tx, who, { accountId: account, role })
        const email = await readEmail(tx, { accountId: account, personId })
        return { ...(await setMemberRole(tx, { account, email, role, ...given, actor: who.actor })), role, ...accepted }
      }),
    text: ({ email, role }) => `${email} is ${role} now.`,
  }),
  operation({
    ...changing,
    command: 'member remove',
    example: 'makola member remove --account ama@example.com --email kofi@example.com',
    route: 'POST /accounts/:account_id/members/:person_id/remove',
    operationId: 'deskRemoveMember',
    refusals: [404, 409],
    summary: 'Take a member out of an account',
    description: 'The member’s sessions end. The last owner stays.',
    input: Type.Object({ accountId, personId: PersonIdByEmail(Uuid()), reason: NeededAtDesk(GivenReason) }),
    find: replaceEmailById,
    printed: Type.Object({ personId: Uuid(), email: Type.String() }),
    act: ({ db }, { actor }, { accountId: account, personId, ...given }) =>
      inTransaction(db, async (tx) => {
        const email = await readEmail(tx, { accountId: account, personId })
        return { ...(await removeMember(tx, { account, email, ...given, actor })), ...accepted }
      }),
    text: ({ email }) => `${email} is not a member any more.`,
  }),
  ...lostFactorOperations,
]

/** The operator's staff invite members at the desk alone; no command does. */
export function invitationOperations({ throttle }: { readonly throttle: Throttle }) {
  return [
    operation({
      ...changing,
      route: 'POST /accounts/:account_id/invitations',
      operationId: 'deskInviteMember',
      refusals: [409, 429],
      summary: 'Ask somebody by mail to join an account',
      input: Type.Object({ accountId, email: Email, role: MemberRoleChoice }),
      async act({ db }, who, asked) {
        await countInvitation(throttle, who)
        return inTransaction(db, async (tx) => {
          await checkMayGiveRole(tx, who, asked)
          await inviteMember(tx, { ...asked, actor: who.actor })
          return accepted
        })
      },
    }),
    operation({
      ...changing,
      route: 'DELETE /accounts/:account_id/invitations/:invitation_id',
      operationId: 'deskWithdrawInvitation',
      refusals: [404],
      summary: 'Take an invitation back',
      input: Type.Object({ accountId, invitationId: Uuid() }),
      async act({ db }, { actor }, asked) {
        const isWithdrawn = await inTransaction(db, (tx) => withdrawInvitation(tx, { ...asked, actor }))
        if (!isWithdrawn) throw new RefusalError(peopleRefusals.memberNotFound)
        return accepted
      },
    }),
  ]
}
