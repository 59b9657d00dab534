import { sql } from 'kysely'
import type { CostSubject, CostUnits } from '../../orders/costs/cost-subject.ts'
import type { Product } from '../product.ts'
import { afaAuditChecks } from './afa.audit.ts'
import { registerAfaExport } from './afa.desk.routes.ts'
import { afaKind, listAfaFees } from './afa.kind.ts'
import { registerAfaMemberRoutes } from './afa.member.routes.ts'
import { afaRefusals } from './afa.refusals.ts'
import { registerAfaRoutes } from './afa.routes.ts'
import { afaEnabled, afaLimits, afaSettings } from './afa.settings.ts'
import { forgettingOfIdentities } from './forget-identities.ts'
import { registrationsOfPerson } from './registrations-of-a-person.ts'
import { sealedIdentityColumns } from './seal-identity.ts'

const afaCost: CostSubject & { readonly units: CostUnits } = {
  product: 'afa',
  title: 'AFA registrations',
  unit: 'registration',
  takesPercent: false,
  units: sql`select '' as key, null::text as other_key, 1::bigint as units`,
  listKeys: () => Promise.resolve([{ key: '', title: 'each registration', since: null }]),
}

export const afa: Product = {
  name: afaKind.name,
  title: 'AFA applications',
  shortTitle: 'AFA',
  unit: afaKind.unit,
  references: 'shared',
  namesItsOrders: false,
  fulfilledBy: 'people',
  refundsFailedOrders: 'always',
  earnsCommission: false,
  followsNumberPlan: false,
  unitCost: afaCost,
  peoplesMoves: [],
  soldWhile: afaEnabled,
  settings: afaSettings,
  limits: afaLimits,
  refusals: afaRefusals,
  auditChecks: afaAuditChecks,
  sealedColumns: sealedIdentityColumns,
  finders: [],
  approvalKinds: [],
  expectedCost: undefined,
  listRolePrices: listAfaFees,
  openForApi: (parts) => ({
    kind: afaKind,
    registerRoutes: (api, shop) => registerAfaRoutes(api, { ...parts, ...shop }),
    registerMemberRoutes: (app, shop) => registerAfaMemberRoutes(app, { ...parts, ...shop }),
    registerDeskRoutes: (desk) => registerAfaExport(desk, parts),
  }),
  personalSources: () => [registrationsOfPerson],
  openForWorker: () => ({ forgettings: [forgettingOfIdentities] }),
}
