import { Envelope, ok } from '../platform/http/envelope.ts'
import { RefusalError } from '../platform/http/refusals.ts'
import type { Api } from '../platform/http/route-types.ts'
import { browserOf } from './browser.ts'
import { type Face, setCookies } from './check-persons.ts'
import { peopleRefusals } from './people.refusals.ts'
import { Accepted, accepted, BackupCodes, CodeBody, PasswordBody, TwoFactorKeys } from './people.schemas.ts'
import type { PeopleDeps } from './people-deps.ts'
import { operationOf } from './session.routes.ts'
import { beginTwoFactor, confirmTwoFactor, renewBackupCodes, switchTwoFactorOff } from './two-factor.ts'

export function registerTwoFactorRoutes(scope: Api, face: Face, deps: PeopleDeps): void {
  registerSwitchOnRoutes(scope, face, deps)
  registerSwitchOffRoute(scope, face, deps)
  registerBackupCodesRoute(scope, face, deps)
}

function registerSwitchOnRoutes(scope: Api, face: Face, deps: PeopleDeps): void {
  scope.post(
    '/two-factor',
    {
      config: { permission: 'person', refusals: [409, 429] },
      schema: {
        ...operationOf(face, 'beginTwoFactor'),
        summary: 'Prepare a second factor',
        description: 'It counts only when a code has confirmed it.',
        body: PasswordBody,
        response: { 200: Envelope(TwoFactorKeys) },
      },
    },
    async (request) => ok(await beginTwoFactor(deps, request.person, request.body.password, browserOf(request))),
  )
  scope.post(
    '/two-factor/confirm',
    {
      config: { permission: 'person', refusals: [409, 429] },
      schema: {
        ...operationOf(face, 'confirmTwoFactor'),
        summary: 'Switch the second factor on with a first code',
        description: 'All other sessions of the person end.',
        body: CodeBody,
        response: { 200: Envelope(Accepted) },
      },
    },
    async (request, reply) => {
      setCookies(reply, (await confirmTwoFactor(deps, request.person, request.body.code, browserOf(request))).cookies)
      return ok(accepted)
    },
  )
}

function registerSwitchOffRoute(scope: Api, face: Face, deps: PeopleDeps): void {
  scope.post(
    '/two-factor/switch-off',
    {
      config: { permission: 'person', refusals: [409, 429] },
      schema: {
        ...operationOf(face, 'switchTwoFactorOff'),
        summary: 'Switch the second factor off',
        description: 'Staff may not, where they need one.',
        body: PasswordBody,
        response: { 200: Envelope(Accepted) },
      },
    },
    async (request, reply) => {
      if (request.person.staffRole && deps.isStaffTwoFactorNeeded) throw new RefusalError(peopleRefusals.secondFactorNeeded)
      setCookies(reply, (await switchTwoFactorOff(deps, request.person, request.body.password, browserOf(request))).cookies)
      return ok(accepted)
    },
  )
}

function registerBackupCodesRoute(scope: Api, face: Face, deps: PeopleDeps): void {
  scope.post(
    '/two-factor/backup-codes',
    {
      config: { permission: 'person', refusals: [409, 429] },
      schema: {
        ...operationOf(face, 'renewBackupCodes'),
        summary: 'Make new back-up codes in place of the old ones',
        body: PasswordBody,
        response: { 200: Envelope(BackupCodes) },
      },
    },
    async (request) => {
      const backupCodes = await renewBackupCodes(deps, request.person, request.body.password, browserOf(request))
      return ok({ backupCodes })
    },
  )
}
