import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Purchaser } from '../accounts/caller.ts'
import { limitBodies } from '../platform/http/limit-bodies.ts'
import { httpLimits } from '../platform/http/listener/http-limits.ts'
import { RefusalError } from '../platform/http/refusals.ts'
import { browserOf } from './browser.ts'
import { findPerson, type Membership, type SignedInPerson } from './find-person.ts'
import { peopleRefusals } from './people.refusals.ts'
import type { PeopleDeps } from './people-deps.ts'
import { type MemberPermission, memberPermissions, permissionsOfMember } from './permissions/member-permissions.ts'
import { type StaffPermission, staffPermissions } from './permissions/staff-permissions.ts'
import { type Staff, staffOf } from './staff-of.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * What a person needs to call a route under `/app/api` or `/desk/api`; every such route names it. `anyone` needs no session.
     * `person` needs a session of somebody who belongs to the face, whatever the role, and staff may call it before they have a
     * second factor.
     */
    permission?: 'anyone' | 'person' | MemberPermission | StaffPermission
    /** Whether the password or a code must have been given within the last ten minutes. */
    isConfirmationNeeded?: boolean
  }
  interface FastifyRequest {
    /** Who is signed in. Set on every request that reaches a handler whose permission is not `anyone`. */
    person: SignedInPerson
    /** The account that the person acts for. Set on the same requests under `/app/api`. */
    membership: Membership
    /** The account and the person as the buyer, in the form that the functions for selling take. Set on the same requests. */
    purchaser: Purchaser
    /**
     * The member of the staff who acts, in the form that the operator's functions take. Set on the same requests under
     * `/desk/api`.
     */
    staff: Staff
  }
}

/** Where a person works: resellers in the app, the operator's staff at the desk. */
export type Face = 'app' | 'desk'

/** The addresses of the two faces. */
export const facePrefixes = { app: '/app/api', desk: '/desk/api' } as const satisfies Record<Face, string>

const safeMethods: readonly string[] = ['GET', 'HEAD', 'OPTIONS']

/**
 * Whether a page of this site sent the request. Browsers name the origin in every request that is neither GET nor HEAD. A request
 * without an origin must at least say, in `Sec-Fetch-Site`, that it comes from the same origin.
 */
function isFromOwnPage({ headers, host }: FastifyRequest, publicUrl: string): boolean {
  const site = headers['sec-fetch-site']
  if (headers.origin === undefined) return site === 'same-origin'
  if (site !== undefined && site !== 'same-origin') return false
  return headers.origin === new URL(publicUrl).origin || headers.origin === `https://${host}`
}

function checkMember(request: FastifyRequest, permission: 'person' | MemberPermission, person: SignedInPerson): void {
  const { membership } = person
  if (!membership) throw new RefusalError(peopleRefusals.notMember)
  request.membership = membership
  const { accountId, accountRole: role, accountRoleExpiresAt: roleExpiresAt } = membership
  request.purchaser = { accountId, role, roleExpiresAt, personId: person.personId }
  if (permission === 'person' || permissionsOfMember(membership.role, membership.accountStatus).includes(permission)) return
  const isForbidden = !permissionsOfMember(membership.role, 'active').includes(permission)
  throw new RefusalError(isForbidden ? peopleRefusals.notPermitted : peopleRefusals.accountIsSuspended)
}

/**
 * Refuses changes of an account by a member of the staff who is also a member of that account. Somebody else of the
 * staff makes them.
 */
function refuseOwnAccount({ method, params, staff }: FastifyRequest): void {
  const { account_id: accountId } = params as { readonly account_id?: string }
  if (accountId !== undefined && !safeMethods.includes(method)) staff.mustNotOwn(accountId)
}

function checkStaff(request: FastifyRequest, permission: 'person' | StaffPermission, isTwoFactorNeeded: boolean): void {
  const { staffRole, hasTwoFactor } = request.person
  if (!staffRole) throw new RefusalError(peopleRefusals.notStaff)
  request.staff = staffOf(request.person, staffRole)
  if (permission === 'person') return
  if (isTwoFactorNeeded && !hasTwoFactor) throw new RefusalError(peopleRefusals.secondFactorNeeded)
  if (!request.staff.permissions.includes(permission)) throw new RefusalError(peopleRefusals.notPermitted)
  refuseOwnAccount(request)
}

/**
 * Refuses every change by somebody of the staff who views an account as its reseller sees it, whatever the route is for. Reads
 * are checked by their permission: a view has only the permission `look`.
 */
function refuseView(request: FastifyRequest, person: SignedInPerson): void {
  if (person.view && !safeMethods.includes(request.method)) throw new RefusalError(peopleRefusals.viewOnly)
}

/** Hands cookies to the browser. */
export function setCookies(reply: FastifyReply, cookies: readonly string[]): void {
  if (cookies.length > 0) reply.header('set-cookie', [...cookies])
}

/**
 * Puts the checks before all routes of a face: of the origin for a request that changes something, of the session, of
 * the permission, and of the confirmation where the route asks for one. They run before the body is read.
 */
export function checkPersons(scope: FastifyInstance, face: Face, deps: PeopleDeps): void {
  const known: readonly string[] = ['anyone', 'person', ...Object.keys(face === 'app' ? memberPermissions : staffPermissions)]
  scope.addHook('onRoute', (route) => {
    const { permission } = route.config ?? {}
    if (permission === undefined || !known.includes(permission)) {
      throw new Error(`${String(route.method)} ${route.url} does not say which permission of this face it needs`)
    }
    if (route.url.includes(':') && !route.schema?.params) throw new Error(`${route.url} has no schema of its path`)
  })
  limitBodies(scope, ({ config }) => (config?.permission === 'anyone' ? httpLimits.openBodyBytes : httpLimits.personBodyBytes))
  scope.addHook('onRequest', async (request, reply) => {
    const { permission = 'person', isConfirmationNeeded } = request.routeOptions.config
    if (!safeMethods.includes(request.method) && !isFromOwnPage(request, deps.publicUrl)) {
      throw new RefusalError(peopleRefusals.foreignOrigin)
    }
    const browser = browserOf(request)
    if (permission === 'anyone') {
      // During a view, requests of the app that change something are refused here too, such as signing in or out, which would end
      // the session and so the view.
      if (face === 'desk' || safeMethods.includes(request.method) || browser.session === undefined) return
      const known = await findPerson(deps, browser)
      if (known) refuseView(request, known.person)
      return
    }
    const found = await findPerson(deps, browser)
    if (!found) throw new RefusalError(peopleRefusals.notSignedIn)
    request.person = found.person
    setCookies(reply, found.cookies)
    if (face === 'app') refuseView(request, found.person)
    if (face === 'app') checkMember(request, permission as 'person' | MemberPermission, found.person)
    else checkStaff(request, permission as 'person' | StaffPermission, deps.isStaffTwoFactorNeeded)
    if (isConfirmationNeeded && !found.person.confirmedUntil) throw new RefusalError(peopleRefusals.confirmationNeeded)
  })
}
