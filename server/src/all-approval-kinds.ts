import { correctionKinds } from './money/correct-wallet.ts'
import { creditKinds } from './money/credit-by-people.ts'
import type { ApprovalKind } from './platform/approvals/approval-kind.ts'
import { withdrawalKind } from './products/results-checker/withdraw-vouchers.ts'

/** Everything that waits in the queue of approvals. Each kind is defined in the folder that carries it out. */
export const allApprovalKinds: readonly ApprovalKind[] = [...creditKinds, ...correctionKinds, withdrawalKind]
