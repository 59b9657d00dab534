import type { Call } from './journal.ts'

/** One order that a call requests, in fields that all products share. */
export type RequestedOrder = {
  readonly kind: 'data' | 'airtime' | 'utilities'
  /** The client's reference; undefined for a bill without one. */
  readonly name: string | undefined
  /** A phone, a meter or a smartcard. */
  readonly recipient: string
  /** The price where it equals the face value. Undefined for bundles, which have a price list. */
  readonly pricePesewas: number | undefined
}

const pesewasOf = (ghs: number) => Math.round(ghs * 100)

export function listRequestedOrders(call: Call): RequestedOrder[] {
  switch (call.path) {
    case '/data/purchase':
    case '/data/bulk':
      return call.orders.map(({ reference: name, recipient }) => ({ kind: 'data', name, recipient, pricePesewas: undefined }))
    case '/airtime/purchase':
      return call.orders.map(({ reference: name, beneficiary_phone: recipient, amount }) => ({
        kind: 'airtime',
        name,
        recipient,
        pricePesewas: pesewasOf(amount),
      }))
    case '/utilities/pay':
      return call.orders.map(({ reference: name, account: recipient, amount }) => ({
        kind: 'utilities',
        name,
        recipient,
        pricePesewas: pesewasOf(amount),
      }))
  }
  return call satisfies never
}
