import { confirmationKind } from './accounts/top-ups/transfer-decisions.ts'
import { correctionKinds } from './money/by-people/correct-wallet.ts'
import { creditKinds } from './money/by-people/credit-by-people.ts'
import { adjustmentKind } from './orders/manual/adjust-by-people.ts'
import { settlementKind } from './orders/manual/settle-by-people.ts'
import { takeBackKind } from './orders/manual/take-back-by-people.ts'
import type { ApprovalKind } from './platform/approvals/approval-kind.ts'
import { products } from './products/products.ts'

/** All kinds of approvals. Each kind is defined in the folder whose code carries it out. */
export const allApprovalKinds: readonly ApprovalKind[] = [
  ...creditKinds,
  ...correctionKinds,
  confirmationKind,
  settlementKind(products),
  takeBackKind(products),
  adjustmentKind(products),
  ...products.flatMap(({ approvalKinds }) => approvalKinds),
]
