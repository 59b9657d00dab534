import { pesewas } from '../../money/pesewas.ts'
import type { Adapter, AdapterOptions } from '../adapter.ts'
import { readJsonObject } from '../calling/read-json.ts'
import type { SmsSupplier } from '../sms-ports.ts'
import type { SmppAddress } from './connection.ts'
import { openSmppLink } from './link.ts'
import { readSmppSettings, type SmppVocabulary } from './settings.ts'

/*
 * SMPP 3.4, to any operator or aggregator. Written from the specification; tried against our simulator and
 * other free implementations, not against a Ghanaian operator. Hosts, numbering plans and status codes are settings.
 */

const plainPort = 2775
const securePort = 3550

/**
 * Reads `smpp://host:port` or `smpps://host:port`.
 * @throws Error for anything else
 */
export function readSmppAddress(baseUrl: string): SmppAddress {
  const match = /^(smpps?):\/\/(\[[0-9a-fA-F:]+\]|[^:/[\]]+)(?::(\d{1,5}))?\/?$/.exec(baseUrl)
  if (!match) throw new Error('base_url must be smpp://host:port, or smpps://host:port for TLS')
  const [, scheme, host = '', port] = match
  const isSecure = scheme === 'smpps'
  return {
    host: host.replaceAll(/[[\]]/g, ''),
    port: port === undefined ? (isSecure ? securePort : plainPort) : Number(port),
    isSecure,
  }
}

const simulatorMilliseconds = 2_000

/** Asks the simulator over HTTP for its SMPP port. */
async function askSimulator(baseUrl: string): Promise<SmppAddress> {
  const response = await fetch(baseUrl, { signal: AbortSignal.timeout(simulatorMilliseconds) })
  const port = readJsonObject(await response.text())?.['port']
  if (typeof port !== 'number') throw new Error('the simulator does not say where its SMSC is')
  return { host: new URL(baseUrl).hostname, port, isSecure: false }
}

/** The simulator's waits are short, so that every outcome can be seen soon. */
const simulatedWaits: Partial<SmppVocabulary> = {
  responseSeconds: 2,
  enquireSeconds: 5,
  reconnectSeconds: 0.1,
  reconnectSecondsMax: 1,
}

function openSupplier(options: AdapterOptions): SmsSupplier {
  const settings = readSmppSettings(options.settings)
  const vocabulary = options.isSimulated ? { ...settings, ...simulatedWaits } : settings
  const { systemId, password } = options.credentials
  if (!systemId || password === undefined) throw new Error('the credentials systemId and password are needed')
  const address = options.isSimulated ? undefined : readSmppAddress(options.baseUrl)
  return {
    name: options.name,
    resendClass: 'none',
    resendSafeSeconds: null,
    askSchedule: options.times.askSchedule,
    probeSeconds: options.times.probeSeconds,
    minimumFloatPesewas: pesewas(0),
    freeSlots: () => 0,
    // SMPP reports outcomes by receipts, and has no request for a balance.
    askStatus: () => Promise.resolve({ meaning: 'unknown', evidence: 'SMPP has no look-up by our reference' }),
    readFloat: () => Promise.resolve({ meaning: 'unknown', evidence: 'SMPP does not tell a balance' }),
    close: () => Promise.resolve(),
    resubmitsUnanswered: vocabulary.resubmitUnanswered,
    submitsAtOnce: options.slots,
    submitsPerSecond: options.requestsPerSecond,
    openSmsLink: (events) =>
      openSmppLink(
        {
          findAddress: () => (address ? Promise.resolve(address) : askSimulator(options.baseUrl)),
          systemId,
          password,
          vocabulary,
          windowSize: options.slots,
          perSecond: options.requestsPerSecond,
        },
        events,
      ),
  }
}

export const smpp: Adapter = {
  credentialNames: ['systemId', 'password'],
  usualBaseUrl: undefined,
  checkSettings: (settings) => {
    readSmppSettings(settings)
  },
  checkBaseUrl: (baseUrl) => {
    readSmppAddress(baseUrl)
  },
  open: openSupplier,
}
