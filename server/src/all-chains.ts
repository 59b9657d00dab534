import { transfersChain } from './money/transfers-chain.ts'
import { orderEventsChain } from './orders/order-events-chain.ts'
import type { Chain } from './platform/chains/chain.ts'
import { operatorLogChain } from './platform/operator-log/operator-log-chain.ts'

export const allChains: readonly Chain[] = [operatorLogChain, transfersChain, orderEventsChain]
