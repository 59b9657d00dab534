import type { GatewayAdapter } from './gateway-adapter.ts'
import { mtnMomoAdapter } from './mtn-momo/open-mtn-momo.ts'
import { paystackAdapter } from './paystack/open-paystack.ts'

/** Every gateway that this code can call, in the order of the payer's choices. */
export const gatewayAdapters: readonly GatewayAdapter[] = [paystackAdapter, mtnMomoAdapter]
