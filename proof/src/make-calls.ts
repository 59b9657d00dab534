import type { Call, OrderBody } from './journal.ts'
import type { Shop } from './open-shop.ts'

/** The first three digits that belong to each network (contract, rule 8). */
const prefixes = { MTN: '024', Telecel: '020', 'AT-iShare': '026' } as const

export type Network = keyof typeof prefixes
export const networks = Object.keys(prefixes) as Network[]

/** A bundle of 1 GB; the number ends in `ending`, which decides what the simulator does with it. */
export function orderOf(reference: string, ending = '000', network: Network = 'MTN'): OrderBody {
  return { network, volume_gb: 1, recipient: `${prefixes[network]}1234${ending}`, reference }
}

/** One order by POST /data/purchase. */
export function singleCall({ accountId, key }: Shop, order: OrderBody): Call {
  return { accountId, key, path: '/data/purchase', orders: [order] }
}

/** Several by POST /data/bulk. */
export function bulkCall({ accountId, key }: Shop, orders: readonly OrderBody[]): Call {
  return { accountId, key, path: '/data/bulk', orders }
}
