import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Purchaser } from '../accounts/caller.ts'
import { httpLimits } from '../platform/http/listener/http-limits.ts'
import { limitBodies } from '../platform/http/read-requests.ts'
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
     * The permission to call a route under `/app/api` or `/desk/api`; every such route needs one. `anyone` needs no session.
     * `person` needs a session of a member (under `/app/api`) or of the staff (under `/desk/api`), whatever the role. It is
     * also for people who must still switch a second factor on, such as new staff, and members whose lost factor was removed.
     */
    permission?: 'anyone' | 'person' | MemberPermission | StaffPermission
    /** True: the person must have given the password, a code or a passkey within the last ten minutes. */
    isConfirmationNeeded?: boolean
  }
  interface FastifyRequest {
    /** Set on every request whose permission is not `anyone`. */
    person: SignedInPerson
    /** The account that the person acts for. Set under `/app/api`, unless the permission is `anyone`. */
    membership: Membership
    /** The account and the person, in the form that functions for purchases take. Set where `membership` is set. */
    purchaser: Purchaser
    /**
     * The acting member of the staff, in the form that the operator's functions take. Set under `/desk/api`, unless the
     * permission is `anyone`.
     */
    staff: Staff
  }
}

/** Where a person works: resellers in the app, the operator's staff at the desk. */
export type Face = 'app' | 'desk'

export const facePrefixes = { app: '/app/api', desk: '/desk/api' } as const satisfies Record<Face, string>

const safeMethods: readonly string[] = ['GET', 'HEAD', 'OPTIONS']

/**
 * True when a page of this site sent the request. Browsers send `Origin` with every request but GET and HEAD. A request without
 * that header must have `Sec-Fetch-Site: same-origin`.
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
  if (permission !== 'person' && person.isSecondFactorDue) throw new RefusalError(peopleRefusals.secondFactorNeeded)
  if (permission === 'person' || permissionsOfMember(membership.role, membership.accountStatus).includes(permission)) return
  const isForbidden = !permissionsOfMember(membership.role, 'active').includes(permission)
  throw new RefusalError(isForbidden ? peopleRefusals.notPermitted : peopleRefusals.accountIsSuspended)
}

/** Refuses a staff member's change of an account of which they are a member. Another of the staff must make it. */
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
 * Refuses every change during a view of an account as its reseller sees it. Reads need no check here: a view has only the
 * permission `look`.
 */
function refuseView(request: FastifyRequest, person: SignedInPerson): void {
  if (person.view && !safeMethods.includes(request.method)) throw new RefusalError(peopleRefusals.viewOnly)
}

export function setCookies(reply: FastifyReply, cookies: readonly string[]): void {
  if (cookies.length > 0) reply.header('set-cookie', [...cookies])
}

/**
 * Adds the checks before all routes of a face: origin, session, permission and confirmation. They run before the body is read.
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
      // During a view, routes that need no session refuse changes too: signing in or out would end the session, and with it the
      // view.
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
