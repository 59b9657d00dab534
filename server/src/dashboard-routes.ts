import type { FastifyInstance, FastifyRequest } from 'fastify'
import { registerAccountMemberRoutes } from './account-member-routes.ts'
import { registerBusinessMemberRoutes } from './accounts/business/business.member.routes.ts'
import { registerKeyMemberRoutes } from './accounts/developer/keys.member.routes.ts'
import { registerPolicyMemberRoutes } from './accounts/developer/policy.member.routes.ts'
import { registerProblemMemberRoutes } from './accounts/problems/problems.member.routes.ts'
import { registerRequestLogRoutes } from './accounts/request-log/request-log.member.routes.ts'
import { registerBalanceFloorRoutes } from './accounts/top-ups/balance-floor.member.routes.ts'
import { describeProducts } from './api-routes.ts'
import type { Config } from './config.ts'
import type { DashboardDeps } from './dashboard-deps.ts'
import { registerDeskRoutes } from './desk/desk-routes.ts'
import { registerTopUpRoutes } from './money/top-ups/top-ups.member.routes.ts'
import { readPhoneNumber } from './networks/read-phone-number.ts'
import { registerWebhookMemberRoutes } from './notices/webhooks/webhooks.member.routes.ts'
import { prepareAuth } from './people/auth/open-auth.ts'
import { checkPersons, type Face, facePrefixes } from './people/check-persons.ts'
import { logExportsInViews } from './people/desk/log-exports.ts'
import { prepareDirectory } from './people/directory/open-directory.ts'
import { registerPeopleMemberRoutes } from './people/people.member.routes.ts'
import type { PeopleDeps } from './people/people-deps.ts'
import { queueHeavyRequests } from './people/permissions/queue-heavy-requests.ts'
import { registerSetUpRoutes } from './people/set-up/set-up.member.routes.ts'
import { createThrottle } from './people/throttle.ts'
import type { Db } from './platform/database/database.ts'
import { limitPersons } from './platform/http/check-caller.ts'
import { absentParts } from './platform/http/document/absent-parts.ts'
import type { Api } from './platform/http/route-types.ts'
import { wireRoutes } from './platform/operations/wire-routes.ts'
import { readFromReplica } from './platform/replica/read-from-replica.ts'
import type { SecretsKeys } from './platform/secrets/secrets-keys.ts'
import { registerReceiptRoutes } from './reselling/receipts/receipt.routes.ts'

type PeopleConfig = Pick<Config, 'publicUrl' | 'keyPrefix' | 'suppliers' | 'smtpUrl' | 'isStaffTwoFactorNeeded' | 'directory'>

export function openPeople(
  config: PeopleConfig,
  { db, secretsKeys }: { readonly db: Db; readonly secretsKeys: SecretsKeys },
): PeopleDeps {
  const { publicUrl, smtpUrl, keyPrefix, isStaffTwoFactorNeeded } = config
  return {
    db,
    secretsKeys,
    publicUrl,
    directory: config.directory && prepareDirectory(config.directory, publicUrl),
    readPhoneNumber,
    smtpUrl,
    keyPrefix,
    isStaffTwoFactorNeeded,
    openAuth: prepareAuth({ db, secretsKeys, publicUrl }),
    throttle: createThrottle(db),
    isKeepingMails: config.suppliers === 'simulator' && config.smtpUrl === undefined,
    isLive: config.suppliers === 'live',
    isMailing: config.suppliers === 'simulator' || config.smtpUrl !== undefined,
  }
}

/** Further routes for each face, which a test or the bench may add. */
export type MoreFaceRoutes = Partial<Record<Face, (scope: Api) => void>>

/** Every route for browsers: `/app/api` for resellers' people, `/desk/api` for the operator's staff, `/r` for customers. */
export function registerDashboardRoutes(app: FastifyInstance, deps: DashboardDeps, more: MoreFaceRoutes = {}): void {
  const register = (face: Face, routes: (scope: Api) => void | Promise<void>) => {
    app.register(
      async (scope) => {
        scope.decorateRequest('person')
        if (face === 'app') scope.decorateRequest('membership').decorateRequest('purchaser')
        else scope.decorateRequest('staff')
        checkPersons(scope, face, deps)
        wireRoutes(scope)
        queueHeavyRequests(scope)
        readFromReplica(scope, deps.replica)
        // A staff member's view of an account counts against the session's own limit, not against the account's.
        const countedFor = ({ person, membership }: FastifyRequest) => (person.view ? person.sessionId : membership.accountId)
        if (face === 'app') limitPersons(scope, deps, countedFor)
        const typed: Api = scope.withTypeProvider()
        await routes(typed)
        more[face]?.(typed)
      },
      { prefix: facePrefixes[face] },
    )
  }
  register('app', (scope) => {
    logExportsInViews(scope, deps.db)
    registerPeopleMemberRoutes(scope, deps)
    for (const product of deps.products) product.registerMemberRoutes?.(scope, deps)
    registerPolicyMemberRoutes(scope, deps)
    registerKeyMemberRoutes(scope, deps)
    registerBusinessMemberRoutes(scope, deps)
    registerProblemMemberRoutes(scope, deps)
    registerRequestLogRoutes(scope, deps)
    registerWebhookMemberRoutes(scope, deps)
    registerSetUpRoutes(scope, deps)
    registerAccountMemberRoutes(scope, deps)
    registerTopUpRoutes(scope, deps)
    registerBalanceFloorRoutes(scope, deps)
  })
  register('desk', (scope) => registerDeskRoutes(scope, deps))
  app.register(async (scope) => registerReceiptRoutes(scope, deps))
}

/** Registers every route with absent parts, only for the OpenAPI document. */
export function describeDashboardRoutes(app: FastifyInstance): void {
  registerDashboardRoutes(app, absentParts<DashboardDeps>({ products: describeProducts(), isKeepingMails: true }))
}
