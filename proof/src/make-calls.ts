import type { AirtimeBody, BillBody, Call, DataBody, DataCall } from './journal.ts'
import type { CommissionShop, Shop } from './open-shop.ts'

/** Number prefixes of each network (contract, rule 8). */
const prefixes = { MTN: '024', Telecel: '020', 'AT-iShare': '026', AT: '026' } as const

export const networks = ['MTN', 'Telecel', 'AT-iShare'] as const
export type Network = (typeof networks)[number]

export const airtimeNetworks = ['MTN', 'Telecel', 'AT'] as const
export type AirtimeNetwork = (typeof airtimeNetworks)[number]

export const billers = ['ecg', 'ghana_water', 'dstv', 'gotv', 'startimes'] as const
export type Biller = (typeof billers)[number]

/** An order of a bundle of 1 GB. The recipient's `ending` scripts what the simulator does. */
export function makeDataBody(reference: string, ending = '000', network: Network = 'MTN'): DataBody {
  return { network, volume_gb: 1, recipient: `${prefixes[network]}1234${ending}`, reference }
}

/** An order of airtime for GHS 5. The recipient's number ends in `ending`. */
export function makeAirtimeBody(reference: string, ending = '000', network: AirtimeNetwork = 'MTN'): AirtimeBody {
  return { network, beneficiary_phone: `${prefixes[network]}1234${ending}`, amount: 5, reference }
}

/** First digits of the newest account. Each bill goes to another account, because the same bill is refused within 30 s. */
let nextAccount = 1_000_000

/** An order that pays GHS 10 to an account that this process has not used before. Its number ends in `ending`. */
export function makeBillBody(reference: string | undefined, ending = '000', biller: Biller = 'gotv'): BillBody {
  nextAccount += 1
  const named = reference === undefined ? {} : { reference }
  const phone = biller === 'ecg' || biller === 'ghana_water' ? { phone: '0241234000' } : {}
  return { biller, account: `${nextAccount}${ending}`, amount: 10, ...phone, ...named }
}

export function singleCall({ accountId, key }: Shop, order: DataBody): DataCall {
  return { accountId, key, path: '/data/purchase', orders: [order] }
}

export function bulkCall({ accountId, key }: Shop, orders: readonly DataBody[]): DataCall {
  return { accountId, key, path: '/data/bulk', orders }
}

export function airtimeCall({ accountId, commissionKey: key }: CommissionShop, order: AirtimeBody): Call {
  return { accountId, key, path: '/airtime/purchase', orders: [order] }
}

export function billCall({ accountId, commissionKey: key }: CommissionShop, order: BillBody): Call {
  return { accountId, key, path: '/utilities/pay', orders: [order] }
}
