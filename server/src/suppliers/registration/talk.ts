/**
 * A registry of numbers that may receive bundles: "server 1" and "server 2" of the number check. No public documentation of
 * such a registry exists, so this is our own plain JSON format, which the simulator speaks too:
 *   GET  /registrations/0241234567                      → { "number": "0241234567", "state": "registered" }
 *   POST /registrations   { "number": "0241234567" }    → { "number": "0241234567", "state": "pending" }
 *
 * `state` is `registered`, `pending` or `not_registered`; the key is sent in `X-API-Key`. Submitting a known number changes
 * nothing. A registry sells nothing: no order is ever sent to it.
 */
import type { Adapter, AdapterOptions } from '../adapter.ts'
import type { SupplierRequest } from '../calling/call-supplier.ts'
import { openApiKeyAccount } from '../calling/open-api-key-account.ts'
import type { AskLimit, RegistrationAnswer, RegistrationSupplier } from '../registration-port.ts'
import { readRegistrationSettings } from './settings.ts'
import { translateRegistration } from './translate.ts'

const fulfilsNothing = 'a registration server fulfils no orders and keeps no float of ours'

/** Opens a registration server. @throws Error when its key is missing or a setting is wrong */
function openRegistrationServer(options: AdapterOptions): RegistrationSupplier {
  const { apiPath } = readRegistrationSettings(options.settings)
  const { basics, call } = openApiKeyAccount(options, { apiPath, minimumFloatGhs: 0 })
  const path = `${apiPath}/registrations`

  async function ask(number: string, request: SupplierRequest, { signal, milliseconds }: AskLimit): Promise<RegistrationAnswer> {
    const limited = milliseconds === undefined ? request : { ...request, milliseconds }
    return translateRegistration(await call(limited, signal), number)
  }

  return {
    ...basics,
    resendClass: 'none',
    resendSafeSeconds: null,
    askStatus: () => Promise.resolve({ meaning: 'unknown', evidence: fulfilsNothing }),
    readFloat: () => Promise.resolve({ meaning: 'unknown', evidence: fulfilsNothing }),
    checkRecipient: (number, limit) =>
      ask(number, { method: 'GET', path: `${path}/${encodeURIComponent(number)}`, headers: {} }, limit),
    submitRecipient: (number, limit) =>
      ask(
        number,
        { method: 'POST', path, headers: { 'content-type': 'application/json' }, body: JSON.stringify({ number }) },
        limit,
      ),
  }
}

export const registration: Adapter = {
  credentialNames: ['apiKey'],
  usualBaseUrl: undefined,
  checkSettings: (settings) => void readRegistrationSettings(settings),
  open: openRegistrationServer,
}
