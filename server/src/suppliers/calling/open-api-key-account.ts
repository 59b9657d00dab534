import type { AdapterOptions } from '../adapter.ts'
import type { Supplier, SupplierAnswer } from '../ports.ts'
import { callSupplier, type SupplierReply, type SupplierRequest } from './call-supplier.ts'
import { reportedPesewas } from './reported-values.ts'
import { openSupplierHttpClient } from './supplier-http-client.ts'

/** An account at a supplier that authenticates us by a key in `X-API-Key`. */
export type ApiKeyAccount = {
  /** Properties that every supplier has, whatever it sells. */
  readonly basics: Pick<Supplier, 'name' | 'askSchedule' | 'probeSeconds' | 'minimumFloatPesewas' | 'freeSlots' | 'close'>
  /** Sends one request with the key, and removes the key from the answer. */
  readonly call: (request: SupplierRequest, signal: AbortSignal | undefined) => Promise<SupplierReply>
  /** Reads a path below `apiPath`. */
  readonly get: (path: string, signal: AbortSignal) => Promise<SupplierReply>
}

/**
 * @param api.minimumFloatGhs our float counts as empty below this
 * @throws Error when the credential `apiKey` is missing or cannot be sent, or `minimumFloatGhs` is no amount
 */
export function openApiKeyAccount(
  options: AdapterOptions,
  { apiPath, minimumFloatGhs }: { apiPath: string; minimumFloatGhs: number },
): ApiKeyAccount {
  const apiKey = accountCredential(options, 'apiKey')
  const minimumFloatPesewas = reportedPesewas(minimumFloatGhs)
  if (minimumFloatPesewas === undefined) throw new Error(`${options.name}: minimumFloatGhs is not an amount`)
  const line = openSupplierHttpClient({ ...options, timeouts: options.times.timeouts })

  async function call(request: SupplierRequest, signal: AbortSignal | undefined): Promise<SupplierReply> {
    const headers = { ...request.headers, 'x-api-key': apiKey }
    return withoutSecret(await callSupplier(line, { ...request, headers }, signal), apiKey)
  }

  return {
    basics: {
      name: options.name,
      askSchedule: options.times.askSchedule,
      probeSeconds: options.times.probeSeconds,
      minimumFloatPesewas,
      freeSlots: () => line.pace.free(),
      close: () => line.close(),
    },
    call,
    get: (path, signal) => call({ method: 'GET', path: `${apiPath}${path}`, headers: {} }, signal),
  }
}

/** The form of our references for suppliers that document no form: printable ASCII without blanks. */
const referencePattern = /^[\x21-\x7e]{1,64}$/

/** @returns a refusal if our reference has another form, else undefined */
export function findReferenceFault(outgoingReference: string): SupplierAnswer | undefined {
  if (referencePattern.test(outgoingReference)) return undefined
  return { meaning: 'rejected_request', evidence: 'our reference does not fit: 1 to 64 printable characters without blanks' }
}

/**
 * A credential for a header.
 * @throws Error when it is missing or cannot be sent
 */
export function accountCredential(options: Pick<AdapterOptions, 'name' | 'credentials'>, name: string): string {
  const value = options.credentials[name]
  if (value === undefined || !/^[\x21-\x7e]+$/.test(value)) {
    throw new Error(`${options.name} needs the credential ${name}: printable characters without blanks`)
  }
  return value
}

/** Shorter secrets could occur in ordinary text, so they are not searched for. */
const secretLengthMin = 8

/** Removes a secret from an answer that repeats it, before the answer is stored. */
export function withoutSecret(reply: SupplierReply, secret: string): SupplierReply {
  if (reply.kind !== 'answered' || secret.length < secretLengthMin) return reply
  return { ...reply, body: reply.body.replaceAll(secret, '[redacted]') }
}
