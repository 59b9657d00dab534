import { Envelope, ok } from '../../platform/http/envelope.ts'
import type { Api } from '../../platform/http/route-types.ts'
import { readSetting } from '../../platform/settings/settings.ts'
import { browserOf } from '../browser.ts'
import type { Membership, SignedInPerson } from '../find-person.ts'
import {
  Accepted,
  AskRecoveryBody,
  accepted,
  OwnPhone,
  PhoneBody,
  PhoneCodeBody,
  RecoverBody,
  SignInWays,
} from '../people.schemas.ts'
import type { PeopleDeps } from '../people-deps.ts'
import { confirmPhone, type PhoneOwner, readOwnPhone, removePhone, requestPhoneConfirmation } from './own-phone.ts'
import { signInTexts } from './phone.settings.ts'
import { recoverByPhone, requestRecoveryCode } from './recover-password.ts'

const tags = ['Sign-in']

type Signed = { readonly person: SignedInPerson; readonly membership: Membership }

const ownerOf = ({ person: { personId, email }, membership: { accountId } }: Signed): PhoneOwner => ({
  personId,
  email,
  accountId,
})

/** Registers the routes by which a person confirms or removes a phone number, which is a second way to a new password. */
export function registerPhoneRoutes(app: Api, deps: PeopleDeps): void {
  app.get(
    '/phone',
    {
      config: { permission: 'person' },
      schema: { operationId: 'readPhone', tags, summary: 'Your phone number', response: { 200: Envelope(OwnPhone) } },
    },
    async ({ person }) => {
      const [own, isOffered] = await Promise.all([readOwnPhone(deps.db, person.personId), readSetting(deps.db, signInTexts)])
      return ok({ ...own, isOffered })
    },
  )
  app.post(
    '/phone',
    {
      config: { permission: 'person', isConfirmationNeeded: true, refusals: [409, 429] },
      schema: {
        operationId: 'askForPhone',
        tags,
        summary: 'Send a code to a phone number, to make it yours',
        description: 'An earlier number goes on to count until the code is given.',
        body: PhoneBody,
        response: { 200: Envelope(Accepted) },
      },
    },
    async (request) => {
      await requestPhoneConfirmation(deps, ownerOf(request), request.body.phone)
      return ok(accepted)
    },
  )
  app.post(
    '/phone/confirm',
    {
      config: { permission: 'person', refusals: [429] },
      schema: {
        operationId: 'confirmPhone',
        tags,
        summary: 'Make the number yours with the code of the text',
        description: 'A mail tells you.',
        body: PhoneCodeBody,
        response: { 200: Envelope(Accepted) },
      },
    },
    async (request) => {
      await confirmPhone(deps, ownerOf(request), request.body.code, request.ip)
      return ok(accepted)
    },
  )
  app.delete(
    '/phone',
    {
      config: { permission: 'person', isConfirmationNeeded: true },
      schema: { operationId: 'removePhone', tags, summary: 'Take your phone number away', response: { 200: Envelope(Accepted) } },
    },
    async (request) => {
      await removePhone(deps.db, ownerOf(request))
      return ok(accepted)
    },
  )
}

/** Registers the routes that replace a forgotten password with a code to the phone. */
export function registerPhoneRecoveryRoutes(app: Api, deps: PeopleDeps): void {
  app.get(
    '/sign-in/ways',
    {
      config: { permission: 'anyone' },
      schema: {
        operationId: 'readSignInWays',
        tags,
        summary: 'Which ways to sign in there are here',
        response: { 200: Envelope(SignInWays) },
      },
    },
    async () => ok({ phone: await readSetting(deps.db, signInTexts) }),
  )
  app.post(
    '/forgot-password/phone',
    {
      config: { permission: 'anyone', refusals: [409, 429] },
      schema: {
        operationId: 'askRecoveryCode',
        tags,
        summary: 'Ask for a code to the phone, to choose a new password',
        description: 'The answer is the same whether the e-mail and the number are known or not. The number must be confirmed.',
        body: AskRecoveryBody,
        response: { 200: Envelope(Accepted) },
      },
    },
    async (request) => {
      await requestRecoveryCode(deps, request.body, request.ip)
      return ok(accepted)
    },
  )
  app.post(
    '/reset-password/phone',
    {
      config: { permission: 'anyone', refusals: [429] },
      schema: {
        operationId: 'recoverByPhone',
        tags,
        summary: 'Choose a new password with the code of the text',
        description: 'All sessions and links of the person end. A second factor stays, and is asked for at the next sign-in.',
        body: RecoverBody,
        response: { 200: Envelope(Accepted) },
      },
    },
    async (request) => {
      await recoverByPhone(deps, request.body, browserOf(request))
      return ok(accepted)
    },
  )
}
