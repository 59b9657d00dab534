import { businessRequestsNeed } from '../../accounts/business/business-requests-need.ts'
import { pendingKeysNeed } from '../../accounts/developer/pending-keys-need.ts'
import { waitingProblemsNeed } from '../../accounts/problems/waiting-problems-need.ts'
import { waitingTopUpsNeed } from '../../money/top-ups/waiting-top-ups-need.ts'
import { openAlarmsNeed } from '../../notices/open-alarms-need.ts'
import { unrefundedOrdersNeed } from '../../orders/manual/unrefunded-orders-need.ts'
import { reportedOrdersNeed } from '../../orders/order-reports/reported-orders-need.ts'
import { stuckOrdersNeed } from '../../orders/schedule/stuck-orders-need.ts'
import { lostFactorsNeed } from '../../people/lost-factor/lost-factors-need.ts'
import type { StaffPermission } from '../../people/permissions/staff-permissions.ts'
import { waitingApprovalsNeed } from '../../platform/approvals/waiting-approvals-need.ts'
import type { Need } from '../../platform/needs/need.ts'
import { afaNeed } from '../../products/afa/afa-need.ts'
import { lowStockNeed } from '../../products/results-checker/raise-low-stock-alarms.ts'
import { requestedSendersNeed } from '../../products/sms/campaigns/requested-senders-need.ts'
import { openDifferencesNeed } from '../../reconciliation/open-differences-need.ts'
import { lowFloatNeed } from '../../reports/low-float-need.ts'
import { pausedRoutesNeed } from '../../suppliers/routes/paused-routes-need.ts'

/** A need. Each of its permissions alone is enough to see it. */
export type NeedOfStaff = {
  readonly need: Need
  readonly permissions: readonly StaffPermission[]
  /** The screen where the work is done. */
  readonly path: string
}

/** Every kind of work that the desk's first screen looks for. */
export const allNeeds: readonly NeedOfStaff[] = [
  { need: openAlarmsNeed, permissions: ['handle_alarms'], path: '/alarms' },
  { need: stuckOrdersNeed, permissions: ['settle_orders'], path: '/orders' },
  { need: unrefundedOrdersNeed, permissions: ['manage_money'], path: '/orders?status=failed' },
  { need: reportedOrdersNeed, permissions: ['settle_orders'], path: '/reports-of-orders' },
  { need: waitingProblemsNeed, permissions: ['manage_accounts'], path: '/problems' },
  { need: lostFactorsNeed, permissions: ['manage_accounts'], path: '/accounts' },
  { need: lowFloatNeed, permissions: ['manage_suppliers', 'manage_money'], path: '/suppliers' },
  { need: pausedRoutesNeed, permissions: ['manage_suppliers'], path: '/suppliers' },
  { need: waitingTopUpsNeed, permissions: ['manage_money'], path: '/top-ups' },
  { need: waitingApprovalsNeed, permissions: ['manage_money', 'settle_orders', 'manage_stock'], path: '/approvals' },
  { need: pendingKeysNeed, permissions: ['manage_keys'], path: '/keys' },
  { need: businessRequestsNeed, permissions: ['manage_accounts'], path: '/business' },
  { need: requestedSendersNeed, permissions: ['manage_accounts'], path: '/senders' },
  { need: afaNeed, permissions: ['settle_orders'], path: '/afa' },
  { need: lowStockNeed, permissions: ['manage_stock'], path: '/vouchers' },
  { need: openDifferencesNeed, permissions: ['reconcile'], path: '/reconcile' },
]
