import { listPresentIncidents } from '../notices/incidents/announce-incident.ts'
import { Envelope, ok } from '../platform/http/envelope.ts'
import type { Api } from '../platform/http/route-types.ts'
import { browserOf } from './browser.ts'
import { setCookies } from './check-persons.ts'
import { registerLostFactorRoutes } from './lost-factor/lost-factor.member.routes.ts'
import { listKeptMails } from './mails/send-person-mails.ts'
import { registerPasskeyRoutes } from './passkeys/passkeys.routes.ts'
import { hasPasskey } from './passkeys/passkeys.ts'
import { Accepted, accepted, KeptMails, MemberMe, SignInResult, SignUpBody, VerifyBody } from './people.schemas.ts'
import type { PeopleDeps } from './people-deps.ts'
import { permissionsOfMember } from './permissions/member-permissions.ts'
import { registerPhoneRecoveryRoutes, registerPhoneRoutes } from './phone/phone.member.routes.ts'
import { registerPushRoutes } from './push/push.member.routes.ts'
import { registerPasswordRoutes, registerSessionRoutes, registerSignInRoutes } from './session.routes.ts'
import { verifyEmail } from './sign-in.ts'
import { signUp } from './sign-up.ts'
import { registerTeamRoutes } from './team/team.member.routes.ts'
import { registerTwoFactorRoutes } from './two-factor.routes.ts'

function registerSignUpRoutes(app: Api, deps: PeopleDeps): void {
  app.post(
    '/sign-up',
    {
      config: { permission: 'anyone', refusals: [429] },
      schema: {
        operationId: 'signUp',
        tags: ['Sign-in'],
        summary: 'Open an account',
        description: 'The answer is the same whether the e-mail is known or not; a mail says what to do next.',
        body: SignUpBody,
        response: { 200: Envelope(Accepted) },
      },
    },
    async (request) => {
      await signUp(deps, request.body, request.ip)
      return ok(accepted)
    },
  )
  app.post(
    '/verify',
    {
      config: { permission: 'anyone', refusals: [401, 429] },
      schema: {
        operationId: 'verifyEmail',
        tags: ['Sign-in'],
        summary: 'Confirm the e-mail with the link of the mail, and sign in',
        body: VerifyBody,
        response: { 200: Envelope(SignInResult) },
      },
    },
    async (request, reply) => {
      const { cookies, ...result } = await verifyEmail(deps, request.body, browserOf(request))
      setCookies(reply, cookies)
      return ok(result)
    },
  )
}

export function registerPeopleMemberRoutes(app: Api, deps: PeopleDeps): void {
  registerSignUpRoutes(app, deps)
  registerSignInRoutes(app, 'app', deps)
  registerPasswordRoutes(app, 'app', deps)
  registerSessionRoutes(app, 'app', deps)
  registerTwoFactorRoutes(app, 'app', deps)
  registerLostFactorRoutes(app, deps)
  registerPhoneRoutes(app, deps)
  registerPhoneRecoveryRoutes(app, deps)
  registerPasskeyRoutes(app, 'app', deps)
  registerPushRoutes(app, deps)
  registerTeamRoutes(app, deps)
  app.get(
    '/me',
    {
      config: { permission: 'person' },
      schema: { operationId: 'readMe', tags: ['Sign-in'], summary: 'Who is signed in', response: { 200: Envelope(MemberMe) } },
    },
    async ({ person, membership }) =>
      ok({
        person: { ...person, hasPasskey: await hasPasskey(deps.db, person.personId) },
        isSecondFactorMissing: person.isSecondFactorDue,
        factorLostAt: person.view ? null : person.factorLostAt,
        role: membership.role,
        // Staff who see an account as its reseller does may only read.
        permissions: person.view ? ['look' as const] : permissionsOfMember(membership.role, membership.accountStatus),
        view: person.view ?? null,
        incidents: await listPresentIncidents(deps.db),
        account: {
          accountId: membership.accountId,
          name: membership.accountName,
          email: membership.accountEmail,
          role: membership.accountRole,
          roleExpiresAt: membership.accountRoleExpiresAt,
          status: membership.accountStatus,
        },
      }),
  )
  if (!deps.isKeepingMails) return
  app.get(
    '/mails',
    {
      config: { permission: 'anyone' },
      schema: {
        operationId: 'listMails',
        tags: ['Sign-in'],
        summary: 'The mails that an installation with the simulator keeps instead of sending them',
        description: 'There is no such address where mails are sent.',
        response: { 200: Envelope(KeptMails) },
      },
    },
    async () => ok({ mails: await listKeptMails(deps.db, deps.secretsKeys) }),
  )
}
