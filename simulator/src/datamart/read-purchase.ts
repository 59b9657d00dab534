/**
 * DataMart's words for MTN, Telecel and AT-iShare. `AT_BIGTIME` is invented, so that every network can be tried with one
 * supplier.
 */
export const dataMartNetworks = ['YELLO', 'TELECEL', 'AT_PREMIUM', 'AT_BIGTIME'] as const
export type DataMartNetwork = (typeof dataMartNetworks)[number]

export type Purchase = {
  readonly ref: string
  readonly phoneNumber: string
  readonly network: DataMartNetwork
  /** In GB. */
  readonly capacity: number
}

/** Reason why a purchase cannot be read. Nothing of it is stored. */
export type PurchaseProblem = {
  readonly code: 'INVALID_REQUEST' | 'INVALID_RECIPIENT' | 'INVALID_NETWORK' | 'INVALID_CAPACITY'
  readonly message: string
}

const problem = (code: PurchaseProblem['code'], message: string): PurchaseProblem => ({ code, message })

/** Reads the body and the idempotency key of a purchase. It is as strict as DataMart may be. */
export function readPurchase(body: unknown, idempotencyKey: string | string[] | undefined): Purchase | PurchaseProblem {
  if (typeof body !== 'object' || body === null) return problem('INVALID_REQUEST', 'The body must be a JSON object.')
  const { phoneNumber, network, capacity, gateway, ref } = body as Record<string, unknown>
  if (typeof ref !== 'string' || !/^[\x21-\x7e]{1,64}$/.test(ref)) {
    return problem('INVALID_REQUEST', 'ref must have 1 to 64 printable characters without blanks.')
  }
  if (idempotencyKey !== ref) return problem('INVALID_REQUEST', 'The header X-Idempotency-Key must be the same as ref.')
  if (gateway !== 'wallet') return problem('INVALID_REQUEST', 'gateway must be "wallet".')
  const knownNetwork = dataMartNetworks.find((known) => known === network)
  if (!knownNetwork) return problem('INVALID_NETWORK', `network must be one of ${dataMartNetworks.join(', ')}.`)
  const gigabytes = readCapacity(capacity)
  if (gigabytes === undefined) return problem('INVALID_CAPACITY', 'capacity must be a number of GB above 0, up to 1000.')
  if (typeof phoneNumber !== 'string' || !/^0\d{9}$/.test(phoneNumber)) {
    return problem('INVALID_RECIPIENT', 'phoneNumber must have 10 digits and start with 0.')
  }
  return { ref, phoneNumber, network: knownNetwork, capacity: gigabytes }
}

function readCapacity(capacity: unknown): number | undefined {
  const isText = typeof capacity === 'string' && /^\d{1,4}(\.\d{1,3})?$/.test(capacity)
  const gigabytes = isText ? Number(capacity) : capacity
  return typeof gigabytes === 'number' && gigabytes > 0 && gigabytes <= 1_000 ? gigabytes : undefined
}
