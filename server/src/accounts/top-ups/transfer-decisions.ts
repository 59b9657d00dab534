import { decideTransfersWith } from '../../money/top-ups/decide-transfer.ts'
import { tellOfTopUp } from './tell-of-top-up.ts'

/** What people decide about money that resellers paid in; the reseller is told in the same transaction. */
export const { confirmationKind, confirmTransfer, declineTopUp } = decideTransfersWith(tellOfTopUp)
