import type { Product } from '../product.ts'
import { airtimeKind } from './airtime.kind.ts'
import { registerAirtimeMemberRoutes } from './airtime.member.routes.ts'
import { registerAirtimeRoutes } from './airtime.routes.ts'
import { airtimeEnabled, airtimeLimits, airtimeSettings } from './airtime.settings.ts'
import { airtimeFulfilment } from './dispatch-airtime.ts'

/** Airtime at face value, from suppliers who pay a commission for it. */
export const airtime: Product = {
  name: airtimeKind.name,
  title: 'Airtime',
  shortTitle: 'Airtime',
  unit: airtimeKind.unit,
  references: 'shared',
  namesItsOrders: false,
  fulfilledBy: 'suppliers',
  refundsFailedOrders: 'always',
  earnsCommission: true,
  followsNumberPlan: true,
  peoplesMoves: [],
  soldWhile: airtimeEnabled,
  settings: airtimeSettings,
  limits: airtimeLimits,
  refusals: {},
  auditChecks: [],
  sealedColumns: [],
  finders: [],
  approvalKinds: [],
  expectedCost: airtimeFulfilment.costs,
  listCapableSuppliers: (db, orders) => airtimeFulfilment.listCapableSuppliers(db, orders),
  openForApi: (parts) => ({
    kind: airtimeKind,
    registerRoutes: (api, shop) => registerAirtimeRoutes(api, { ...parts, ...shop }),
    registerMemberRoutes: (app, shop) => registerAirtimeMemberRoutes(app, { ...parts, ...shop }),
  }),
  openForWorker: () => ({ fulfilment: airtimeFulfilment }),
}
