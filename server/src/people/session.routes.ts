import { Envelope, ok } from '../platform/http/envelope.ts'
import { RefusalError } from '../platform/http/refusals.ts'
import type { Api } from '../platform/http/route-types.ts'
import { browserOf } from './browser.ts'
import { type Face, setCookies } from './check-persons.ts'
import { confirmSession } from './confirm-session.ts'
import { changePassword, forgotPassword, resetPassword } from './passwords.ts'
import { peopleRefusals } from './people.refusals.ts'
import {
  Accepted,
  accepted,
  ChangePasswordBody,
  ConfirmationBody,
  Confirmed,
  EndedSessions,
  ForgotPasswordBody,
  ResetPasswordBody,
  SecondFactorBody,
  SessionList,
  SessionPath,
  SignInBody,
  SignInResult,
} from './people.schemas.ts'
import type { PeopleDeps } from './people-deps.ts'
import { endOtherSessions, endSession, listSessions } from './sessions.ts'
import { completeSignIn, signIn, signOut } from './sign-in.ts'

/**
 * The operationId and the tag of a route about signing in. The app and the desk both have these routes, and each needs its own
 * operationId.
 */
export function operationOf(face: Face, name: string): { operationId: string; tags: string[] } {
  return { operationId: face === 'app' ? name : `desk${name[0]?.toUpperCase()}${name.slice(1)}`, tags: ['Sign-in'] }
}

export function registerSignInRoutes(scope: Api, face: Face, deps: PeopleDeps): void {
  scope.post(
    '/sign-in',
    {
      config: { permission: 'anyone', refusals: [401, 403, 429] },
      schema: {
        ...operationOf(face, 'signIn'),
        summary: 'Sign in with e-mail and password',
        body: SignInBody,
        response: { 200: Envelope(SignInResult) },
      },
    },
    async (request, reply) => {
      const { cookies, ...result } = await signIn(deps, request.body, browserOf(request))
      setCookies(reply, cookies)
      return ok(result)
    },
  )
  scope.post(
    '/second-factor',
    {
      config: { permission: 'anyone', refusals: [401, 409, 429] },
      schema: {
        ...operationOf(face, 'giveSecondFactor'),
        summary: 'End a sign-in with a code, a back-up code or a passkey',
        body: SecondFactorBody,
        response: { 200: Envelope(SignInResult) },
      },
    },
    async (request, reply) => {
      const { cookies, ...result } = await completeSignIn(deps, request.body, browserOf(request))
      setCookies(reply, cookies)
      return ok(result)
    },
  )
  scope.post(
    '/sign-out',
    {
      config: { permission: 'anyone' },
      schema: { ...operationOf(face, 'signOut'), summary: 'End this session', response: { 200: Envelope(Accepted) } },
    },
    async (request, reply) => {
      setCookies(reply, (await signOut(deps, browserOf(request))).cookies)
      return ok(accepted)
    },
  )
}

/** Registers the routes about passwords: ask for a link, choose a password with the link, and change it while signed in. */
export function registerPasswordRoutes(scope: Api, face: Face, deps: PeopleDeps): void {
  scope.post(
    '/forgot-password',
    {
      config: { permission: 'anyone', refusals: [429] },
      schema: {
        ...operationOf(face, 'forgotPassword'),
        summary: 'Ask for a link to choose a new password',
        description: 'The answer is the same whether the e-mail is known or not.',
        body: ForgotPasswordBody,
        response: { 200: Envelope(Accepted) },
      },
    },
    async (request) => {
      await forgotPassword(deps, request.body.email, request.ip)
      return ok(accepted)
    },
  )
  scope.post(
    '/reset-password',
    {
      config: { permission: 'anyone', refusals: [429] },
      schema: {
        ...operationOf(face, 'resetPassword'),
        summary: 'Choose a new password with the link of a mail',
        description: 'The link works once. All sessions and all other links of the person end.',
        body: ResetPasswordBody,
        response: { 200: Envelope(Accepted) },
      },
    },
    async (request, reply) => {
      setCookies(reply, (await resetPassword(deps, request.body, browserOf(request))).cookies)
      return ok(accepted)
    },
  )
  scope.post(
    '/change-password',
    {
      config: { permission: 'person', refusals: [429] },
      schema: {
        ...operationOf(face, 'changePassword'),
        summary: 'Change the password',
        description: 'All other sessions and all links of the person end.',
        body: ChangePasswordBody,
        response: { 200: Envelope(Accepted) },
      },
    },
    async (request, reply) => {
      setCookies(reply, (await changePassword(deps, request.person, request.body, browserOf(request))).cookies)
      return ok(accepted)
    },
  )
}

export function registerSessionRoutes(scope: Api, face: Face, deps: PeopleDeps): void {
  registerConfirmRoute(scope, face, deps)
  registerSessionListRoute(scope, face, deps)
  registerSessionEndRoutes(scope, face, deps)
}

function registerConfirmRoute(scope: Api, face: Face, deps: PeopleDeps): void {
  scope.post(
    '/confirm',
    {
      config: { permission: 'person', refusals: [409, 429] },
      schema: {
        ...operationOf(face, 'confirm'),
        summary: 'Give the password, a code or a passkey again, before what asks for it',
        body: ConfirmationBody,
        response: { 200: Envelope(Confirmed) },
      },
    },
    async (request) => {
      const until = await confirmSession(deps, request.person, request.body, browserOf(request))
      return ok({ confirmedUntil: until })
    },
  )
}

function registerSessionListRoute(scope: Api, face: Face, deps: PeopleDeps): void {
  scope.get(
    '/sessions',
    {
      config: { permission: 'person' },
      schema: {
        ...operationOf(face, 'listSessions'),
        summary: 'List your open sessions',
        response: { 200: Envelope(SessionList) },
      },
    },
    async ({ person }) => {
      const sessions = await listSessions(deps.db, person)
      return ok({ sessions: sessions.map((session) => ({ ...session, isThis: session.sessionId === person.sessionId })) })
    },
  )
}

function registerSessionEndRoutes(scope: Api, face: Face, deps: PeopleDeps): void {
  scope.delete(
    '/sessions/:session_id',
    {
      config: { permission: 'person', refusals: [404] },
      schema: {
        ...operationOf(face, 'endSession'),
        summary: 'End one of your sessions',
        params: SessionPath,
        response: { 200: Envelope(Accepted) },
      },
    },
    async ({ person, params }) => {
      if (!(await endSession(deps.db, person, params.sessionId))) throw new RefusalError(peopleRefusals.sessionNotFound)
      return ok(accepted)
    },
  )
  scope.delete(
    '/sessions',
    {
      config: { permission: 'person' },
      schema: {
        ...operationOf(face, 'endOtherSessions'),
        summary: 'End all your sessions but this one',
        response: { 200: Envelope(EndedSessions) },
      },
    },
    async ({ person }) => ok({ ended: await endOtherSessions(deps.db, person) }),
  )
}
