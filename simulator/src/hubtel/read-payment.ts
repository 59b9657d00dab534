import { findService, listBundles, type Service } from './services.ts'

export type Payment = {
  /** The buyer's own reference, not Hubtel's id. */
  readonly reference: string
  readonly serviceId: string
  /** A phone number as `233…`, or a smartcard number. */
  readonly destination: string
  /** The recipient: the number of a phone as `0…`, of a meter, or of a smartcard. */
  readonly recipient: string
  readonly amountPesewas: number
  readonly callbackUrl: string
  /** In GB, of a bundle. */
  readonly capacity?: number
  /** The session that Ghana Water's query opened. */
  readonly sessionId?: string
}

/** The field that cannot be accepted, and the reason. */
export type PaymentProblem = { readonly field: string; readonly error: string }

type Fields = Readonly<Record<string, unknown>>

/** Hubtel's limit for airtime in one request. */
const airtimePesewasMax = 10_000

const problem = (field: string, error: string): PaymentProblem => ({ field, error })

function textOf(fields: Fields, name: string): string {
  const value = fields[name]
  return typeof value === 'string' ? value : ''
}

function isPhone(text: string): boolean {
  return /^233\d{9}$/.test(text)
}

function readAmount(value: unknown): number | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value) || value <= 0) return undefined
  const amount = Math.round(value * 100)
  return Math.abs(amount - value * 100) < 1e-6 ? amount : undefined
}

function asFields(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {}
}

/** Reads the fields that differ per service. */
function readService(service: Service, fields: Fields, amountPesewas: number) {
  const destination = textOf(fields, 'Destination')
  const extra = asFields(fields.Extradata)
  const bundle = textOf(extra, 'bundle')
  const phone = `0${destination.slice(3)}`
  const isTelevision = service.product === 'utilities' && service.name !== 'ecg' && service.name !== 'ghana_water'
  if (isTelevision) return destination === '' ? problem('Destination', 'The smartcard is missing.') : { recipient: destination }
  if (!isPhone(destination)) return problem('Destination', 'The phone number must be 233 and nine digits.')
  if (service.product === 'airtime') {
    return amountPesewas > airtimePesewasMax ? problem('Amount', 'The amount must not be above 100.') : { recipient: phone }
  }
  if (service.product === 'data') {
    const row = listBundles(service.name).find(({ value }) => value === bundle)
    if (!row) return problem('Extradata', 'There is no such bundle.')
    return row.pricePesewas === amountPesewas
      ? { recipient: phone, capacity: row.capacity }
      : problem('Amount', 'The amount is not that of the bundle.')
  }
  if (bundle === '') return problem('Extradata', 'The meter is missing.')
  if (service.name === 'ecg') return { recipient: bundle }
  if (!textOf(extra, 'Email').includes('@')) return problem('Extradata', 'The e-mail address is missing.')
  return { recipient: bundle, sessionId: textOf(extra, 'SessionId') }
}

/** Reads the body of a payment. It is as strict as Hubtel may be. */
export function readPayment(serviceId: string, rawBody: string): Payment | PaymentProblem {
  const service = findService(serviceId)
  if (!service) return problem('ServiceId', 'There is no such service.')
  if (/[^\x20-\x7e]/.test(rawBody)) return problem('Body', 'Only printable ASCII is taken.')
  const fields = asFields(readJson(rawBody))
  const reference = textOf(fields, 'ClientReference')
  if (!/^[A-Za-z0-9-]{1,32}$/.test(reference))
    return problem('ClientReference', 'It must have 1 to 32 letters, digits and hyphens.')
  const amountPesewas = readAmount(fields.Amount)
  if (amountPesewas === undefined) return problem('Amount', 'It must be a number above 0 with at most 2 decimals.')
  const callbackUrl = textOf(fields, 'CallbackUrl')
  if (!URL.canParse(callbackUrl)) return problem('CallbackUrl', 'It must be an address.')
  const particular = readService(service, fields, amountPesewas)
  if ('field' in particular) return particular
  return { reference, serviceId, destination: textOf(fields, 'Destination'), amountPesewas, callbackUrl, ...particular }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
