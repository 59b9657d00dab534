import type { Product, ProductApiDeps, ProductInApi, ProductInWorker, ProductWorkerDeps } from '../product.ts'
import { dataKind } from './data.kind.ts'
import { dataRefusals } from './data.refusals.ts'
import { registerDataRoutes } from './data.routes.ts'
import { dataAutoRefund, dataEnabled, dataLimits, dataSettings } from './data.settings.ts'
import { registerPackageDeskRoutes } from './desk/packages.desk.routes.ts'
import { createDataFulfilment, listDataSuppliers } from './dispatch-data.ts'
import { registerDataMemberRoutes } from './members/data.member.routes.ts'
import { dataCostExpectation } from './offers/offers-of-bundles.ts'
import { createPackageCatalogue } from './package-catalogue.ts'
import { registrationFinder, registrationsOfNumber } from './registration/find-registrations.ts'
import { createKnownRegistrations, purgeRegistrations } from './registration/known-registrations.ts'
import { clearForgottenAwayAlarms } from './registration/raise-away-alarm.ts'
import { openStateRecord } from './registration/record-states.ts'
import { createRegistrationMemory, type RegistrationMemory } from './registration/registration-memory.ts'
import { createRegistrationServers } from './registration/registration-servers.ts'
import { runRegistrationLoop } from './registration/run-registration-loop.ts'
import { watchRegistrationServers } from './registration/watch-registration-servers.ts'
import { arePricesDue, carryOutDuePrices } from './schedule/carry-out-prices.ts'
import { listPackagePrices } from './stored-packages.ts'
import { registerVerifyNumberRoutes } from './verify-number.routes.ts'

/** Data bundles from suppliers. MTN numbers must be registered first. */
export const data: Product = {
  name: dataKind.name,
  title: 'Data bundles',
  shortTitle: 'Data',
  unit: dataKind.unit,
  references: 'shared',
  namesItsOrders: false,
  packageField: 'size',
  fulfilledBy: 'suppliers',
  refundsFailedOrders: dataAutoRefund,
  earnsCommission: false,
  followsNumberPlan: true,
  peoplesMoves: [],
  soldWhile: dataEnabled,
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
  personalSources: () => [registrationsOfNumber],
  openForApi,
  openForWorker,
}

function openRegistrations(parts: ProductApiDeps | ProductWorkerDeps, memory?: RegistrationMemory) {
  const { db, epoch, settings, suppliers, log, metrics } = parts
  const servers = createRegistrationServers({ db, epoch, settings, registry: suppliers })
  const watch = watchRegistrationServers({ db, log, servers, metrics })
  const { record, written } = openStateRecord({ db, log, ...(memory && { memory }) })
  return {
    registrations: { log, servers, watch, record },
    stopRegistrations: async () => {
      await Promise.all([watch.stop(), written()])
    },
  }
}

function openForApi(parts: ProductApiDeps): ProductInApi {
  const { db, epoch } = parts
  const packages = createPackageCatalogue(db, epoch)
  const memory = createRegistrationMemory(epoch)
  const opened = openRegistrations(parts, memory)
  const registrations = { ...opened.registrations, memory, known: createKnownRegistrations(db, memory) }
  return {
    kind: dataKind,
    registerRoutes(api, shop) {
      registerDataRoutes(api, { ...parts, ...shop, packages, registrations })
      registerVerifyNumberRoutes(api, { ...parts, registrations })
    },
    registerDeskRoutes: (desk) => registerPackageDeskRoutes(desk, parts),
    registerMemberRoutes: (app, shop) => registerDataMemberRoutes(app, { ...parts, ...shop, packages, registrations }),
    stop: opened.stopRegistrations,
  }
}

function openForWorker(parts: ProductWorkerDeps): ProductInWorker {
  const { db, epoch, settings, log, hints, askDue, history } = parts
  const { registrations, stopRegistrations } = openRegistrations(parts)
  const loop = runRegistrationLoop({ ...registrations, db, log, settings, hints, askDue, history })
  return {
    fulfilment: createDataFulfilment(db, epoch),
    timers: [
      { name: 'forgotten alarms', everySeconds: 60, isExclusive: true, run: () => clearForgottenAwayAlarms(db) },
      // Every worker may run this: it costs little, and a due set of prices is carried out once, by whichever worker comes
      // first.
      {
        name: 'scheduled prices',
        everySeconds: 1,
        isExclusive: false,
        isDue: arePricesDue,
        run: () => carryOutDuePrices(db, log),
      },
      { name: 'old registrations', everySeconds: 600, isExclusive: true, run: () => purgeRegistrations(db) },
    ],
    stop: async () => {
      await loop.stop()
      await stopRegistrations()
    },
  }
}
