import Type from 'typebox'
import { AccountError } from '../../accounts/account.ts'
import { GuardedChange } from '../../guards/loosening.ts'
import { proposeApproval } from '../../platform/approvals/propose-approval.ts'
import type { Tx } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { RefusalError } from '../../platform/http/refusals.ts'
import { GivenReason, Uuid } from '../../platform/http/schemas.ts'
import { WithHelp } from '../../platform/operations/fields.ts'
import { operation } from '../../platform/operations/operation.ts'
import { findMemberEmail } from '../manage-people.ts'
import { peopleRefusals } from '../people.refusals.ts'
import { Accepted, accepted } from '../people.schemas.ts'
import { findPersonRoles } from '../staff/reset-second-factor.ts'
import { PersonIdByEmail, replaceEmailById } from '../staff/typed-person.ts'
import { lostFactorReset } from './lost-factor.settings.ts'
import { endLostFactor, openLostFactor } from './lost-factors.ts'
import { lostFactorKind } from './reset-by-people.ts'

const ofMember = {
  tag: 'Accounts',
  permission: 'manage_accounts',
  isConfirmationNeeded: true,
  refusals: [404, 409],
  by: 'optional',
  find: replaceEmailById,
} as const

const memberInput = { accountId: Uuid(), personId: PersonIdByEmail(Uuid()) }

/** @throws RefusalError 404 for no member, AccountError without a second factor, and for staff, who must ask an owner */
async function mustFindMemberWithFactor(
  tx: Tx,
  { accountId, personId }: { readonly accountId: string; readonly personId: string },
) {
  const email = await findMemberEmail(tx, accountId, personId)
  const person = email === undefined ? undefined : await findPersonRoles(tx, email)
  if (!person) throw new RefusalError(peopleRefusals.memberNotFound)
  if (person.staffRole !== null) {
    const command = '`makola staff reset-second-factor`'
    throw new AccountError(`${person.email} is one of the staff, too: an owner takes it away under Staff.`, { command })
  }
  if (!person.hasTwoFactor) throw new AccountError(`${person.email} has no second factor switched on.`)
  return person
}

export const lostFactorOperations = [
  operation({
    ...ofMember,
    command: lostFactorReset,
    example:
      'makola member reset-second-factor --account ama@example.com --email kofi@example.com --reason "called from the number we know"',
    route: 'POST /accounts/:account_id/members/:person_id/reset-second-factor',
    operationId: 'deskResetMemberSecondFactor',
    summary: 'Propose to take a member’s lost second factor away; a second person confirms',
    description:
      'Where one of the staff may decide alone, it takes effect after the hours of `lost_factor_wait_hours`. The person is told at once, can stop it until then, confirms the e-mail anew and switches a new second factor on.',
    input: Type.Object({ ...memberInput, reason: WithHelp('how you made sure who asks', GivenReason) }),
    output: GuardedChange,
    act: ({ db }, { actor, person }, { accountId, personId, reason }) =>
      inTransaction(db, async (tx) => {
        const { email } = await mustFindMemberWithFactor(tx, { accountId, personId })
        const lostFactorId = await openLostFactor(tx, { personId, accountId, email }, actor)
        const request = { lostFactorId, accountId, email }
        const proposal = { kind: lostFactorKind, subject: accountId, key: personId, request, reason, person }
        const { approvalId, status } = await proposeApproval(tx, { ...proposal, mayBeCorrected: true })
        const state = status === 'pending' ? ('proposed' as const) : status
        return { state, approvalId: state === 'done' ? null : approvalId }
      }),
    text: ({ state, approvalId }) =>
      state === 'done'
        ? 'The second factor is taken away. A mail says how the person gets in.'
        : `A second person confirms it: \`makola approvals confirm ${approvalId} --by NAME\`. Where nobody else can, it takes effect after the hours of \`makola setting show lost_factor_wait_hours\`, while a worker runs. The person was told and can stop it.`,
  }),
  operation({
    ...ofMember,
    command: 'member keep-second-factor',
    example: 'makola member keep-second-factor --account ama@example.com --email kofi@example.com --reason "it was not Kofi"',
    route: 'POST /accounts/:account_id/members/:person_id/keep-second-factor',
    operationId: 'deskKeepMemberSecondFactor',
    summary: 'Refuse to take a member’s second factor away',
    description: 'What was proposed about it is refused, too.',
    input: Type.Object({ ...memberInput, reason: WithHelp('why', GivenReason) }),
    output: Accepted,
    act: ({ db }, { person }, { accountId, personId, reason }) =>
      inTransaction(db, async (tx) => {
        if ((await findMemberEmail(tx, accountId, personId)) === undefined) throw new RefusalError(peopleRefusals.memberNotFound)
        const ending = { accountId, personId, person, reason, action: 'member keep-second-factor' } as const
        if (!(await endLostFactor(tx, ending))) throw new AccountError('Nobody said that this second factor is lost.')
        return accepted
      }),
    text: () => 'The second factor stays.',
  }),
]
