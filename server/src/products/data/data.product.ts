import type { ApiParts, Product, ProductInApi, ProductInWorker, WorkerParts } from '../product.ts'
import { dataKind } from './data.kind.ts'
import { dataRefusals } from './data.refusals.ts'
import { registerDataRoutes } from './data.routes.ts'
import { dataAutoRefund, dataLimits, dataSettings } from './data.settings.ts'
import { registerPackageDeskRoutes } from './desk/packages.desk.routes.ts'
import { createDataFulfilment, listDataSuppliers } from './dispatch-data.ts'
import { dataCostExpectation } from './expect-data-cost.ts'
import { registerDataMemberRoutes } from './members/data.member.routes.ts'
import { createPackageCatalogue } from './package-catalogue.ts'
import { createKnownRegistrations, purgeRegistrations } from './registration/known-registrations.ts'
import { clearForgottenAwayAlarms } from './registration/raise-away-alarm.ts'
import { registrationFinder } from './registration/registration-finder.ts'
import { createRegistrationServers } from './registration/registration-servers.ts'
import { runRegistrationLoop } from './registration/run-registration-loop.ts'
import { watchRegistrationServers } from './registration/watch-registration-servers.ts'
import { carryOutDuePrices } from './schedule/carry-out-prices.ts'
import { listPackagePrices } from './stored-packages.ts'
import { registerVerifyNumberRoutes } from './verify-number.routes.ts'

/** Data bundles from suppliers. MTN numbers are registered first. */
export const data: Product = {
  name: dataKind.name,
  title: 'Data bundles',
  unit: dataKind.unit,
  references: 'shared',
  namesItsOrders: false,
  packageField: 'size',
  fulfilledBy: 'suppliers',
  refundsFailedOrders: dataAutoRefund,
  earnsCommission: false,
  followsNumberPlan: true,
  peoplesMoves: [],
  settings: dataSettings,
  limits: dataLimits,
  refusals: dataRefusals,
  auditChecks: [],
  sealedColumns: [],
  finders: [registrationFinder],
  approvalKinds: [],
  expectedCost: dataCostExpectation,
  listRolePrices: listPackagePrices,
  listCapableSuppliers: listDataSuppliers,
  openForApi,
  openForWorker,
}

function openRegistrations(parts: ApiParts | WorkerParts) {
  const { db, epoch, settings, suppliers, log, metrics } = parts
  const servers = createRegistrationServers({ db, epoch, settings, registry: suppliers })
  return { servers, watch: watchRegistrationServers({ db, log, servers, metrics }) }
}

function openForApi(parts: ApiParts): ProductInApi {
  const { db, epoch, log } = parts
  const packages = createPackageCatalogue(db, epoch)
  const registrations = { ...openRegistrations(parts), db, log, known: createKnownRegistrations(db) }
  return {
    kind: dataKind,
    registerRoutes(api, shop) {
      registerDataRoutes(api, { ...parts, ...shop, packages, registrations })
      registerVerifyNumberRoutes(api, { ...parts, registrations })
    },
    registerDeskRoutes: (desk) => registerPackageDeskRoutes(desk, parts),
    registerMemberRoutes: (app, shop) => registerDataMemberRoutes(app, { ...parts, ...shop, packages, registrations }),
    stop: () => registrations.watch.stop(),
  }
}

function openForWorker(parts: WorkerParts): ProductInWorker {
  const { db, epoch, settings, log } = parts
  const { servers, watch } = openRegistrations(parts)
  const loop = runRegistrationLoop({ db, log, settings, servers, watch })
  return {
    fulfilment: createDataFulfilment(db, epoch),
    timers: [
      { name: 'forgotten alarms', everySeconds: 60, isExclusive: true, run: () => clearForgottenAwayAlarms(db) },
      // Every worker may run this: it costs little, and a set is carried out once, by whichever worker comes first.
      { name: 'scheduled prices', everySeconds: 1, isExclusive: false, run: () => carryOutDuePrices(db, log) },
      { name: 'old registrations', everySeconds: 600, isExclusive: true, run: () => purgeRegistrations(db) },
    ],
    stop: async () => {
      await Promise.all([loop.stop(), watch.stop()])
    },
  }
}
