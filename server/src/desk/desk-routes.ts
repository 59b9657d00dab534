import { registerTopUpPicture } from '../accounts/top-ups/top-up-picture.desk.routes.ts'
import { operationRooms } from '../all-operations.ts'
import { findSetting } from '../all-settings.ts'
import type { DashboardDeps } from '../dashboard-deps.ts'
import { registerGatewayDeskRoutes } from '../gateways/gateways.desk.routes.ts'
import { registerOrderDeskRoutes } from '../orders/desk/orders.desk.routes.ts'
import { nameOrders } from '../orders/queries/name-orders.ts'
import { registerAccountEntriesDeskRoutes } from '../people/accounts-at-desk/account-entries.desk.routes.ts'
import { registerViewRoutes } from '../people/accounts-at-desk/account-view.desk.routes.ts'
import { registerLogDeskRoutes } from '../people/desk/log.desk.routes.ts'
import { logExports } from '../people/desk/log-exports.ts'
import { withAccountNames } from '../people/desk/with-names.ts'
import { registerPeopleDeskRoutes } from '../people/people.desk.routes.ts'
import { formsOfRecipient } from '../personal/recipient-hash.ts'
import type { Db } from '../platform/database/database.ts'
import { answerError, answerRefusal } from '../platform/http/answer-error.ts'
import { refusals, refuse } from '../platform/http/refusals.ts'
import type { Api } from '../platform/http/route-types.ts'
import type { StaffOperation } from '../platform/operations/operation.ts'
import { actFrom } from '../platform/operator-log/append-operator-log.ts'
import { OperatorRequestError } from '../platform/operator-request-error.ts'
import { registerRegistrationServerRoutes } from '../products/data/registration/servers.desk.routes.ts'
import { registerSupplierListRoute } from '../products/data/supplier-lists/supplier-list.desk.routes.ts'
import { products } from '../products/products.ts'
import { registerSmsLinkRoutes } from '../products/sms/link/links.desk.routes.ts'
import { registerDifferencesFile } from '../reconciliation/differences-file.desk.routes.ts'
import { registerStatementDeskRoutes } from '../reconciliation/statements.desk.routes.ts'
import { registerReportDeskRoutes } from '../reports/desk/reports.desk.routes.ts'
import { registerScheduleDeskRoutes } from '../reports/desk/schedules.desk.routes.ts'
import { registerSupplierDeskRoutes } from '../suppliers/desk/suppliers.desk.routes.ts'
import { registerFindRoutes } from './find/find.desk.routes.ts'
import { registerLiveRoutes } from './live/live.desk.routes.ts'
import { nameThings } from './name-things.ts'
import { registerNeedsRoutes } from './needs/needs.desk.routes.ts'
import { deskOperations } from './operations-without-commands.ts'
import { registerOperation } from './register-operation.ts'
import { registerTodayRoutes } from './today/today.desk.routes.ts'

/**
 * Adds what all routes of the desk share: the browser's address for the operator's log, and a refusal with the message of an
 * `OperatorRequestError`.
 */
function prepareDesk(desk: Api, db: Db): void {
  desk.addHook('preHandler', (request, _reply, done) => {
    actFrom(request.ip, done)
  })
  desk.setErrorHandler(async (error, request, reply) => {
    if (!(error instanceof OperatorRequestError)) return answerError(error, request, reply)
    const { isWrongValue } = error
    const message = await withAccountNames(db, error.message)
    return answerRefusal(reply, isWrongValue ? refusals.invalidRequest(message) : refuse(409, 'not_possible', message))
  })
}

/** True for lists and reports, which are read from the replica. A single item is read from the primary. */
const isList = ({ route = '' }: StaffOperation<unknown>) => route.startsWith('GET ') && !route.includes(':')

export async function registerDeskRoutes(desk: Api, deps: DashboardDeps): Promise<void> {
  const operationDeps = { ...deps, openSecrets: () => Promise.resolve(deps.secretsKeys) }
  const { readDb } = deps.replica
  const reads = { ...operationDeps, db: readDb }
  prepareDesk(desk, deps.db)
  logExports(desk, deps.db)
  registerPeopleDeskRoutes(desk, deps)
  registerAccountEntriesDeskRoutes(desk, {
    db: readDb,
    nameOrders: (reading, orderIds) => nameOrders(reading, products, orderIds),
  })
  registerViewRoutes(desk, deps)
  registerOrderDeskRoutes(desk, {
    db: deps.db,
    readDb,
    products,
    formsOfRecipient: (text) => formsOfRecipient(operationDeps, text),
  })
  registerReportDeskRoutes(desk, reads)
  registerScheduleDeskRoutes(desk, deps)
  registerSuppliersDesk(desk, deps)
  for (const product of deps.products) product.registerDeskRoutes?.(desk, deps)
  registerTopUpPicture(desk, deps)
  registerGatewayDeskRoutes(desk, deps)
  registerLogDeskRoutes(desk, {
    ...reads,
    nameIds: (ids) => nameThings(readDb, ids),
    unitOfSetting: (name) => findSetting(name)?.unit,
  })
  registerLiveRoutes(desk, deps)
  registerNeedsRoutes(desk, deps)
  registerFindRoutes(desk, reads)
  registerTodayRoutes(desk, reads)
  const operations = await Promise.all(Object.values(operationRooms).map(({ load }) => load()))
  for (const operation of [...operations.flat(), ...deskOperations(deps)])
    registerOperation(desk, operation, isList(operation) ? reads : operationDeps)
}

const expectations = products.flatMap(({ expectedCost }) => expectedCost ?? [])

function registerSuppliersDesk(desk: Api, deps: DashboardDeps): void {
  const { db } = deps
  registerSupplierDeskRoutes(desk, deps)
  registerSupplierListRoute(desk, deps)
  registerSmsLinkRoutes(desk, { db })
  registerRegistrationServerRoutes(desk, deps)
  registerStatementDeskRoutes(desk, { db, expectations })
  registerDifferencesFile(desk, { db })
}
