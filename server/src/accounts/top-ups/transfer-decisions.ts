import { decideTransfersWith } from '../../money/top-ups/decide-transfer.ts'
import { notifyOfTopUp } from './notify-of-top-up.ts'

/** Decisions about money that resellers paid in, with the notice to the reseller in the same transaction. */
export const { confirmationKind, confirmTransfer, declineTopUp } = decideTransfersWith(notifyOfTopUp)
