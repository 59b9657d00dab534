/** DataKazina's numbers for MTN, Telecel, AT-iShare and AT-BigTime. */
export const dataKazinaNetworks = ['3', '2', '1', '4'] as const
export type DataKazinaNetwork = (typeof dataKazinaNetworks)[number]

/** DataKazina sells in MB, a thousand to the GB. */
export const megabytesPerGigabyte = 1_000

export type Purchase = {
  readonly ref: string
  readonly phoneNumber: string
  readonly network: DataKazinaNetwork
  /** In GB. */
  readonly capacity: number
}

/** Reason why a purchase cannot be read. Nothing of it is stored. */
export type PurchaseProblem = {
  readonly code: 'INVALID_REQUEST' | 'INVALID_RECIPIENT' | 'INVALID_NETWORK' | 'INVALID_BUNDLE'
  readonly message: string
}

const problem = (code: PurchaseProblem['code'], message: string): PurchaseProblem => ({ code, message })

/** Reads the body of a purchase. It is as strict as DataKazina may be. */
export function readPurchase(body: unknown): Purchase | PurchaseProblem {
  if (typeof body !== 'object' || body === null) return problem('INVALID_REQUEST', 'The body must be a JSON object.')
  const { recipient_msisdn, network_id, shared_bundle, incoming_api_ref } = body as Record<string, unknown>
  if (typeof incoming_api_ref !== 'string' || !/^[\x21-\x7e]{1,64}$/.test(incoming_api_ref)) {
    return problem('INVALID_REQUEST', 'incoming_api_ref must have 1 to 64 printable characters without blanks.')
  }
  const network = dataKazinaNetworks.find((known) => known === String(network_id))
  if (!network) return problem('INVALID_NETWORK', `network_id must be one of ${dataKazinaNetworks.join(', ')}.`)
  const isSize = typeof shared_bundle === 'number' && Number.isInteger(shared_bundle)
  if (!isSize || shared_bundle < 1 || shared_bundle > 1_000 * megabytesPerGigabyte) {
    return problem('INVALID_BUNDLE', 'shared_bundle must be a whole number of MB above 0.')
  }
  if (typeof recipient_msisdn !== 'string' || !/^0\d{9}$/.test(recipient_msisdn)) {
    return problem('INVALID_RECIPIENT', 'recipient_msisdn must have 10 digits and start with 0.')
  }
  return { ref: incoming_api_ref, phoneNumber: recipient_msisdn, network, capacity: shared_bundle / megabytesPerGigabyte }
}
