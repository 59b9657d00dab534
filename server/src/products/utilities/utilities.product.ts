import type { Product } from '../product.ts'
import { createBillerCatalogue } from './biller-catalogue.ts'
import { billFulfilment } from './dispatch-bill.ts'
import { lookUpsOfAccount, purgeLookedUpAccounts } from './look-up-bill-account.ts'
import { utilitiesKind } from './utilities.kind.ts'
import { registerUtilitiesMemberRoutes } from './utilities.member.routes.ts'
import { billRefusals } from './utilities.refusals.ts'
import { registerUtilitiesRoutes } from './utilities.routes.ts'
import { billerEnabled, billLimits, utilitiesEnabled, utilitiesSettings } from './utilities.settings.ts'

/** Utility bills, paid at face value through suppliers, who pay us a commission. We choose the references of these orders. */
export const utilities: Product = {
  name: utilitiesKind.name,
  title: 'Utility bills',
  shortTitle: 'Bills',
  unit: utilitiesKind.unit,
  references: 'account',
  namesItsOrders: true,
  fulfilledBy: 'suppliers',
  refundsFailedOrders: 'always',
  earnsCommission: true,
  followsNumberPlan: false,
  peoplesMoves: [],
  soldWhile: utilitiesEnabled,
  networksSoldWhile: billerEnabled,
  settings: utilitiesSettings,
  limits: billLimits,
  refusals: billRefusals,
  auditChecks: [],
  sealedColumns: [],
  finders: [],
  approvalKinds: [],
  expectedCost: billFulfilment.costs,
  listCapableSuppliers: (db, orders) => billFulfilment.listCapableSuppliers(db, orders),
  personalSources: () => [lookUpsOfAccount],
  openForApi(parts) {
    const billers = createBillerCatalogue(parts.db, parts.epoch)
    return {
      kind: utilitiesKind,
      registerRoutes: (api, shop) => registerUtilitiesRoutes(api, { ...parts, ...shop, billers }),
      registerMemberRoutes: (app, shop) => registerUtilitiesMemberRoutes(app, { ...parts, ...shop, billers }),
    }
  },
  openForWorker: ({ db }) => ({
    fulfilment: billFulfilment,
    timers: [{ name: 'looked-up names', everySeconds: 3_600, isExclusive: true, run: () => purgeLookedUpAccounts(db) }],
  }),
}
