import { confirmationKind } from './accounts/top-ups/confirm-transfers.ts'
import { guardedSettings } from './all-settings.ts'
import { gatewayKind } from './gateways/change-gateway.ts'
import { correctionKinds } from './money/by-people/correct-wallet.ts'
import { creditKinds } from './money/by-people/credit-by-people.ts'
import { historyKind } from './orders/history/accept-history.ts'
import { adjustmentKind } from './orders/manual/adjust-by-people.ts'
import { settlementKind } from './orders/manual/settle-by-people.ts'
import { takeBackKind } from './orders/manual/take-back-by-people.ts'
import { lostFactorKind } from './people/lost-factor/reset-by-people.ts'
import { grantKind } from './people/staff/grant-role.ts'
import { erasureKind } from './personal/erasures.ts'
import type { ApprovalKind } from './platform/approvals/approval-kind.ts'
import { products } from './products/products.ts'
import { floatKind } from './suppliers/float/move-float.ts'
import { supplierKind } from './suppliers/registry/change-supplier.ts'

/** Each kind is defined in the folder whose code carries it out. */
export const allApprovalKinds: readonly ApprovalKind[] = [
  ...creditKinds,
  ...correctionKinds,
  confirmationKind,
  settlementKind(products),
  takeBackKind(products),
  adjustmentKind(products),
  ...guardedSettings.kinds,
  grantKind,
  lostFactorKind,
  gatewayKind,
  supplierKind,
  floatKind,
  erasureKind,
  historyKind(products),
  ...products.flatMap(({ approvalKinds }) => approvalKinds),
]
