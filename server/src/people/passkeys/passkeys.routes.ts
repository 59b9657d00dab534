import { Envelope, ok } from '../../platform/http/envelope.ts'
import type { Api } from '../../platform/http/route-types.ts'
import { browserOf } from '../browser.ts'
import type { Face } from '../check-persons.ts'
import { Accepted, accepted } from '../people.schemas.ts'
import type { PeopleDeps } from '../people-deps.ts'
import { operationOf } from '../session.routes.ts'
import { createPasskeyRequestForSignIn } from '../sign-in.ts'
import { NewPasskeyBody, PasskeyList, PasskeyOptions, PasskeyPath } from './passkeys.schemas.ts'
import { addPasskey, beginPasskey, createPasskeyRequest, listPasskeys, removePasskey } from './passkeys.ts'

export function registerPasskeyRoutes(scope: Api, face: Face, deps: PeopleDeps): void {
  registerAskingRoutes(scope, face, deps)
  registerAddingRoutes(scope, face, deps)
  scope.get(
    '/passkeys',
    {
      config: { permission: 'person' },
      schema: { ...operationOf(face, 'listPasskeys'), summary: 'List your passkeys', response: { 200: Envelope(PasskeyList) } },
    },
    async ({ person }) => ok({ passkeys: await listPasskeys(deps.db, person.personId) }),
  )
  scope.delete(
    '/passkeys/:passkey_id',
    {
      config: { permission: 'person', isConfirmationNeeded: true, refusals: [404] },
      schema: {
        ...operationOf(face, 'removePasskey'),
        summary: 'Remove one of your passkeys',
        description: 'The authenticator app and the back-up codes go on to work. A mail tells the person.',
        params: PasskeyPath,
        response: { 200: Envelope(Accepted) },
      },
    },
    async ({ person, params }) => {
      await removePasskey(deps.db, person, params.passkeyId)
      return ok(accepted)
    },
  )
}

/** Registers the routes that a browser calls before it uses a passkey in place of a code. */
function registerAskingRoutes(scope: Api, face: Face, deps: PeopleDeps): void {
  scope.post(
    '/second-factor/options',
    {
      config: { permission: 'anyone', refusals: [401, 409, 429] },
      schema: {
        ...operationOf(face, 'askPasskey'),
        summary: 'Ask what a passkey must sign to end a sign-in',
        response: { 200: Envelope(PasskeyOptions) },
      },
    },
    async (request) => ok({ options: await createPasskeyRequestForSignIn(deps, browserOf(request)) }),
  )
  scope.post(
    '/confirm/options',
    {
      config: { permission: 'person', refusals: [409, 429] },
      schema: {
        ...operationOf(face, 'askPasskeyAgain'),
        summary: 'Ask what a passkey must sign to confirm this session',
        response: { 200: Envelope(PasskeyOptions) },
      },
    },
    async (request) => {
      const { personId, sessionId: holder } = request.person
      await deps.throttle.count('passkey', personId, request.ip)
      return ok({ options: await createPasskeyRequest(deps, { purpose: 'confirm', holder, personId }) })
    },
  )
}

function registerAddingRoutes(scope: Api, face: Face, deps: PeopleDeps): void {
  scope.post(
    '/passkeys/options',
    {
      config: { permission: 'person', isConfirmationNeeded: true, refusals: [409, 429] },
      schema: {
        ...operationOf(face, 'beginPasskey'),
        summary: 'Begin to add a passkey',
        description: 'It stands beside the authenticator app, which must be on.',
        response: { 200: Envelope(PasskeyOptions) },
      },
    },
    async (request) => ok({ options: await beginPasskey(deps, request.person, browserOf(request)) }),
  )
  scope.post(
    '/passkeys',
    {
      config: { permission: 'person', isConfirmationNeeded: true, refusals: [409] },
      schema: {
        ...operationOf(face, 'addPasskey'),
        summary: 'Add a passkey that this browser made',
        description: 'From then on it serves in place of a code. A mail tells the person.',
        body: NewPasskeyBody,
        response: { 200: Envelope(Accepted) },
      },
    },
    async (request) => {
      await addPasskey(deps, request.person, request.body, browserOf(request))
      return ok(accepted)
    },
  )
}
