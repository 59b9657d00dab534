import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { Envelope, ok } from '../../platform/http/envelope.ts'
import { RefusalError } from '../../platform/http/refusals.ts'
import type { Api } from '../../platform/http/route-types.ts'
import { personCookies } from '../auth/person-cookies.ts'
import { type Browser, browserOf } from '../browser.ts'
import { setCookies } from '../check-persons.ts'
import type { PeopleDeps } from '../people-deps.ts'
import { operationOf } from '../session.routes.ts'
import type { SignedIn } from '../sign-in.ts'
import type { Directory, DirectoryTry } from './open-directory.ts'
import { DirectoryError, signInByDirectory } from './sign-in-by-directory.ts'

const DirectoryState = Type.Object(
  { isOn: Type.Boolean({ description: 'Whether `/desk/api/directory/begin` leads to a directory that staff sign in with.' }) },
  { title: 'DirectoryState' },
)

/** A person has this long to sign in at the directory. */
const trySeconds = 600

const tryCookie = (value: string, seconds: number) =>
  `${personCookies.directory}=${value}; Max-Age=${seconds}; Path=/; HttpOnly; Secure; SameSite=Lax`

function readTry({ directory }: Browser): DirectoryTry | undefined {
  const [state, nonce, verifier] = directory?.split('.') ?? []
  return state && nonce && verifier ? { state, nonce, verifier } : undefined
}

/** The text of an error for the log: its message, its causes, and the provider's error code. Other fields may hold tokens. */
function problemOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const word = Reflect.get(error, 'error')
  return [error.message, typeof word === 'string' ? word : undefined, problemOf(error.cause)].filter(Boolean).join(': ')
}

/**
 * Redirects a browser that navigates: to the address that `act` returns or, after a refusal, to the sign-in page of the desk.
 */
async function redirectTo(reply: FastifyReply, request: FastifyRequest, act: () => Promise<string>): Promise<FastifyReply> {
  try {
    return reply.redirect(await act(), 302)
  } catch (error) {
    const refused = error instanceof RefusalError && error.refusal.status === 429 ? new DirectoryError('too_many') : error
    if (!(refused instanceof DirectoryError)) throw refused
    request.log.warn({ reason: refused.reason, problem: problemOf(refused.cause) }, 'a sign-in by the directory was refused')
    return reply.redirect(`/desk?refused=${refused.reason}`, 302)
  }
}

/** The page on which a sign-in continues. */
const pageAfter = ({ status, hasPasskey }: SignedIn): string =>
  status === 'signed_in' ? '/desk' : `/desk/second-factor${hasPasskey ? '?passkey' : ''}`

/** The library's error for an answer of the directory that says no, for example because the person cancelled. */
const isDeclined = (error: unknown) => error instanceof Error && error.name === 'AuthorizationResponseError'

/** Registers the routes by which staff sign in with the operator's directory. Two are for a browser that navigates. */
export function registerDirectoryRoutes(desk: Api, deps: PeopleDeps): void {
  const { directory } = deps
  desk.get(
    '/directory',
    {
      config: { permission: 'anyone' },
      schema: {
        ...operationOf('desk', 'readDirectory'),
        summary: 'Whether staff may sign in with the directory of the house',
        response: { 200: Envelope(DirectoryState) },
      },
    },
    () => ok({ isOn: directory !== undefined }),
  )
  if (directory) registerNavigation(desk, deps, directory)
}

function registerNavigation(desk: Api, deps: PeopleDeps, directory: Directory): void {
  const hidden = { config: { permission: 'anyone' }, schema: { hide: true } } as const
  desk.get('/directory/begin', hidden, async (request, reply) =>
    redirectTo(reply, request, async () => {
      await deps.throttle.count('directory', undefined, request.ip)
      const { url, started } = await directory.begin().catch((error: unknown) => {
        throw new DirectoryError('unreachable', error)
      })
      setCookies(reply, [tryCookie([started.state, started.nonce, started.verifier].join('.'), trySeconds)])
      return url
    }),
  )
  desk.get('/directory/callback', hidden, async (request, reply) =>
    redirectTo(reply, request, async () => {
      setCookies(reply, [tryCookie('', 0)])
      await deps.throttle.count('directory', undefined, request.ip)
      const browser = browserOf(request)
      const started = readTry(browser)
      const { search } = new URL(request.url, deps.publicUrl)
      // The library checks the state, too. This check comes first, so that no other browser's answer reaches the directory.
      if (!started || new URLSearchParams(search).get('state') !== started.state) throw new DirectoryError('over')
      const claims = await directory.end(search, started).catch((error: unknown) => {
        throw new DirectoryError(isDeclined(error) ? 'declined' : 'failed', error)
      })
      const signedIn = await signInByDirectory(deps, directory.config, claims, browser)
      setCookies(reply, signedIn.cookies)
      return pageAfter(signedIn)
    }),
  )
}
