import { AccountError, AccountValueError, LastOwnerError } from '../../accounts/account.ts'
import type { Tx } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { Envelope, ok } from '../../platform/http/envelope.ts'
import { RefusalError, refusals } from '../../platform/http/refusals.ts'
import type { Api } from '../../platform/http/route-types.ts'
import { browserOf } from '../browser.ts'
import { setCookies } from '../check-persons.ts'
import type { SignedInPerson } from '../find-person.ts'
import { findMemberEmail, listMembers, removeMember, setMemberRole } from '../manage-people.ts'
import { peopleRefusals } from '../people.refusals.ts'
import { Accepted, accepted, SignInResult } from '../people.schemas.ts'
import type { PeopleDeps } from '../people-deps.ts'
import { holdOwner, inviteMember, listInvitations, withdrawInvitation } from './invite-member.ts'
import { joinAccount, showInvitation } from './join-account.ts'
import {
  InvitationPath,
  InviteBody,
  JoinBody,
  MemberPath,
  MemberRoleBody,
  ShowInvitationBody,
  ShownInvitation,
  Team,
} from './team.schemas.ts'

/** The name of a member in the operator's log. */
const actorOf = ({ email }: SignedInPerson): string => `person:${email}`

/** Changes a team in one transaction. Errors of functions that the command line uses too become refusals. */
async function changeTeam<T>({ db }: PeopleDeps, change: (tx: Tx) => Promise<T>): Promise<T> {
  try {
    return await inTransaction(db, change)
  } catch (error) {
    if (error instanceof LastOwnerError) throw new RefusalError(peopleRefusals.lastOwner)
    if (error instanceof AccountValueError) throw new RefusalError(refusals.invalidRequest(error.message))
    if (error instanceof AccountError) throw new RefusalError(peopleRefusals.isMemberAlready)
    throw error
  }
}

async function readMemberEmail(tx: Tx, accountId: string, personId: string): Promise<string> {
  const email = await findMemberEmail(tx, accountId, personId)
  if (email === undefined) throw new RefusalError(peopleRefusals.memberNotFound)
  return email
}

function registerTeamListRoute(app: Api, { db }: PeopleDeps): void {
  app.get(
    '/team',
    {
      config: { permission: 'manage_members' },
      schema: {
        operationId: 'listTeam',
        tags: ['Team'],
        summary: 'Who acts for the account, and who was invited',
        response: { 200: Envelope(Team) },
      },
    },
    async ({ person, membership: { accountId } }) => {
      const [members, invitations] = await Promise.all([listMembers(db, accountId), listInvitations(db, accountId)])
      return ok({
        members: members.map((member) => ({ ...member, isYou: member.personId === person.personId })),
        invitations,
      })
    },
  )
}

function registerInvitationRoutes(app: Api, deps: PeopleDeps): void {
  app.post(
    '/team/invitations',
    {
      config: { permission: 'manage_members', isConfirmationNeeded: true, refusals: [409, 429] },
      schema: {
        operationId: 'inviteMember',
        tags: ['Team'],
        summary: 'Ask somebody by mail to join the account',
        description: 'The answer does not say whether the e-mail is known. Asking again sends a new link; the old one ends.',
        body: InviteBody,
        response: { 200: Envelope(Accepted) },
      },
    },
    async ({ person, membership: { accountId }, body: { email, role }, ip }) => {
      await deps.throttle.count('invite', person.personId, ip)
      await changeTeam(deps, async (tx) => {
        await holdOwner(tx, accountId, person.personId)
        await inviteMember(tx, { email, role, accountId, actor: actorOf(person) })
      })
      return ok(accepted)
    },
  )
  app.delete(
    '/team/invitations/:invitation_id',
    {
      config: { permission: 'manage_members', isConfirmationNeeded: true, refusals: [404] },
      schema: {
        operationId: 'withdrawInvitation',
        tags: ['Team'],
        summary: 'Take an invitation back',
        params: InvitationPath,
        response: { 200: Envelope(Accepted) },
      },
    },
    async ({ person, membership: { accountId }, params }) => {
      const asked = { accountId, invitationId: params.invitationId, actor: actorOf(person) }
      if (!(await changeTeam(deps, (tx) => withdrawInvitation(tx, asked)))) {
        throw new RefusalError(peopleRefusals.memberNotFound)
      }
      return ok(accepted)
    },
  )
}

function registerMemberRoutes(app: Api, deps: PeopleDeps): void {
  app.patch(
    '/team/members/:person_id',
    {
      config: { permission: 'manage_members', isConfirmationNeeded: true, refusals: [404, 409] },
      schema: {
        operationId: 'setMemberRole',
        tags: ['Team'],
        summary: 'Give a member another role',
        description: 'The last owner stays owner.',
        params: MemberPath,
        body: MemberRoleBody,
        response: { 200: Envelope(Accepted) },
      },
    },
    async ({ person, membership: { accountId: account }, params, body: { role } }) => {
      await changeTeam(deps, async (tx) => {
        const email = await readMemberEmail(tx, account, params.personId)
        await setMemberRole(tx, { account, email, role, actor: actorOf(person) })
      })
      return ok(accepted)
    },
  )
  app.delete(
    '/team/members/:person_id',
    {
      config: { permission: 'manage_members', isConfirmationNeeded: true, refusals: [404, 409] },
      schema: {
        operationId: 'removeMember',
        tags: ['Team'],
        summary: 'Take a member out of the account',
        description: 'The member’s sessions end. The last owner stays.',
        params: MemberPath,
        response: { 200: Envelope(Accepted) },
      },
    },
    async ({ person, membership: { accountId: account }, params }) => {
      await changeTeam(deps, async (tx) => {
        const email = await readMemberEmail(tx, account, params.personId)
        await removeMember(tx, { account, email, actor: actorOf(person) })
      })
      return ok(accepted)
    },
  )
}

function registerJoinRoute(app: Api, deps: PeopleDeps): void {
  app.post(
    '/join',
    {
      config: { permission: 'anyone', refusals: [401, 409, 429] },
      schema: {
        operationId: 'joinAccount',
        tags: ['Team'],
        summary: 'Join an account with the link of an invitation, and sign in',
        description: 'Who has a password gives it; who has none chooses one here.',
        body: JoinBody,
        response: { 200: Envelope(SignInResult) },
      },
    },
    async (request, reply) => {
      const { cookies, ...result } = await joinAccount(deps, request.body, browserOf(request))
      setCookies(reply, cookies)
      return ok(result)
    },
  )
}

function registerShownInvitation(app: Api, deps: PeopleDeps): void {
  app.post(
    '/show-invitation',
    {
      config: { permission: 'anyone', changesNothing: true, refusals: [429] },
      schema: {
        operationId: 'showInvitation',
        tags: ['Team'],
        summary: 'Which team the link of an invitation is from',
        body: ShowInvitationBody,
        response: { 200: Envelope(ShownInvitation) },
      },
    },
    async (request) => ok(await showInvitation(deps, request.body.token, request.ip)),
  )
}

/** Registers the routes about an account's team: owners read and change it, and invited people join it. */
export function registerTeamRoutes(app: Api, deps: PeopleDeps): void {
  registerTeamListRoute(app, deps)
  registerInvitationRoutes(app, deps)
  registerMemberRoutes(app, deps)
  registerShownInvitation(app, deps)
  registerJoinRoute(app, deps)
}
