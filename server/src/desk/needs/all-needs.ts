import type { StaffPermission } from '../../people/permissions/staff-permissions.ts'
import type { Need } from '../../platform/needs/need.ts'
import { lowStockNeed } from '../../products/results-checker/raise-low-stock-alarms.ts'
import { businessRequestsNeed, lostFactorsNeed, pendingKeysNeed, waitingProblemsNeed } from './account-needs.ts'
import { lowFloatNeed, openDifferencesNeed, waitingApprovalsNeed, waitingTopUpsNeed } from './money-needs.ts'
import { afaNeed, reportedOrdersNeed, requestedSendersNeed, stuckOrdersNeed, unrefundedOrdersNeed } from './order-needs.ts'
import { openAlarmsNeed, pausedRoutesNeed } from './platform-needs.ts'

/** A kind of work that waits for people. Each of its permissions alone is enough to see it. */
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
