import type { Product } from '../product.ts'
import { createVoucherNotices } from './compose-voucher-notice.ts'
import { voucherCost } from './cost/voucher-cost.ts'
import { registerVoucherDeskRoutes } from './desk/vouchers.desk.routes.ts'
import { listVoucherPrices } from './list-voucher-types.ts'
import { raiseLowStockAlarms } from './raise-low-stock-alarms.ts'
import { raiseUnreadableVoucherAlarms } from './raise-unreadable-voucher-alarms.ts'
import { resultsCheckerAuditChecks } from './results-checker.audit.ts'
import { createResultsCheckerKind, resultsCheckerFacts } from './results-checker.kind.ts'
import { registerResultsCheckerMemberRoutes } from './results-checker.member.routes.ts'
import { voucherRefusals } from './results-checker.refusals.ts'
import { registerResultsCheckerRoutes } from './results-checker.routes.ts'
import { resultsCheckerEnabled, resultsCheckerSettings, voucherLimits } from './results-checker.settings.ts'
import { sealedVoucherColumns } from './seal-voucher.ts'
import { voucherFinder } from './voucher-finder.ts'
import { withdrawalKind } from './withdraw-vouchers.ts'
import { takeVouchersOffSale } from './write-voucher-type.ts'

/**
 * Vouchers for results checkers, sold from our own stock. The purchase itself is the delivery. Two people may take an order
 * back, because no supplier's evidence can contradict them (decisions F5: vouchers can be taken back; S12: evidence against an
 * ended order).
 */
export const resultsChecker: Product = {
  name: resultsCheckerFacts.name,
  title: 'Results checker vouchers',
  shortTitle: 'Vouchers',
  unit: resultsCheckerFacts.unit,
  references: 'shared',
  namesItsOrders: false,
  packageField: 'typeName',
  fulfilledBy: 'stock',
  refundsFailedOrders: 'always',
  earnsCommission: false,
  followsNumberPlan: false,
  unitCost: voucherCost,
  peoplesMoves: [{ from: 'completed', to: 'refunded' }],
  soldWhile: resultsCheckerEnabled,
  settings: resultsCheckerSettings,
  limits: voucherLimits,
  refusals: voucherRefusals,
  auditChecks: resultsCheckerAuditChecks,
  sealedColumns: sealedVoucherColumns,
  finders: [voucherFinder],
  approvalKinds: [withdrawalKind],
  keepBack: takeVouchersOffSale,
  expectedCost: undefined,
  listRolePrices: listVoucherPrices,
  openForApi: (parts) => ({
    kind: createResultsCheckerKind(parts.secretsKeys),
    registerRoutes: (api, shop) => registerResultsCheckerRoutes(api, { ...parts, ...shop }),
    registerMemberRoutes: (app, shop) => registerResultsCheckerMemberRoutes(app, { ...parts, ...shop }),
    registerDeskRoutes: (desk) => registerVoucherDeskRoutes(desk, parts),
  }),
  openForWorker: ({ db, secretsKeys, log }) => ({
    composeCourtesy: createVoucherNotices(db, secretsKeys),
    timers: [
      {
        name: 'voucher stock',
        everySeconds: 60,
        isExclusive: true,
        run: async () => {
          await raiseLowStockAlarms(db, log)
          await raiseUnreadableVoucherAlarms(db, secretsKeys, log)
        },
      },
    ],
  }),
}
