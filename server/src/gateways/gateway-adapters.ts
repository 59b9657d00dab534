import type { GatewayAdapter } from './gateway-adapter.ts'
import { mtnMomoAdapter } from './mtn-momo/open-mtn-momo.ts'
import { paystackAdapter } from './paystack/open-paystack.ts'

/** Every gateway that this code can talk to, in the order in which payers are offered them. */
export const gatewayAdapters: readonly GatewayAdapter[] = [paystackAdapter, mtnMomoAdapter]
