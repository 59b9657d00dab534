import { Check } from 'typebox/schema'
import { type DocumentedParameter, type Operation, type Schema, typesOf } from './openapi.ts'

/** An example of a UUIDv7. */
const exampleId = '0199f3a2-6c1e-7d40-9b52-3f0a6c8e1d77'
const exampleMoment = '2026-01-15T09:30:00.000Z'

/**
 * The values of fields by name, so that an order looks the same in a request, an answer and a list. A value that the field's own
 * schema does not allow is not used.
 */
const valuesByName: Readonly<Record<string, readonly unknown[]>> = {
  network: ['MTN'],
  size: ['1GB'],
  volume_gb: [1],
  recipient: ['0241234567', '233241234567'],
  recipients: [['0241234567', '0201234567']],
  beneficiary_phone: ['0241234567'],
  phone: ['0241234567'],
  recipientPhone: ['0241234567'],
  recipientEmail: ['ama@example.com'],
  status: ['pending', 'delivered', 'completed'],
  source: ['api'],
  price: [4.5],
  unit_price: [18],
  currency: ['GHS'],
  balance: [995.5],
  new_balance: [995.5],
  total_cost: [4.5],
  total: [1],
  total_paid: [18],
  amount: [20],
  airtime_amount: [20],
  fee_amount: [0],
  quantity: [1],
  available_count: [48],
  orders_placed: [1],
  role: ['agent'],
  is_active: [true],
  is_permanent: [true],
  expires_at: [null],
  days_remaining: [null],
  already_processed: [true],
  allowed: [true],
  reason: ['The order could not be delivered. Your money is back in the wallet.'],
  name: ['WASSCE'],
  type_name: ['WASSCE'],
  pin: ['4815 1623 4210'],
  serial_number: ['WGC2600417'],
  full_name: ['Ama Mensah'],
  account_name: ['Ama Mensah'],
  id_type: ['Ghana Card'],
  id_number: ['GHA-123456789-0'],
  date_of_birth: ['1998-04-23'],
  region: ['Greater Accra'],
  location: ['Madina'],
  notes: ['Prefers a call after 4 pm.'],
  message: ['Your parcel is ready. Come before 5 pm.'],
  sender: ['Makola', 'MAKOLA'],
  sender_used: ['MAKOLA'],
  defaultSender: ['MAKOLA'],
  mode: ['pool', 'own'],
  accountStatus: ['active'],
  credits: [998],
  totalPurchased: [1000],
  totalUsed: [2],
  segments: [1],
  recipients_count: [2],
  credits_charged: [2],
  creditsCharged: [2],
  sent: [2],
  failed: [0],
  biller: ['dstv'],
  key: ['dstv'],
  label: ['DSTV'],
  package: ['1GB'],
  note: ['Data bundles MTN 1GB 0241234567'],
  account: ['7023456789'],
  account_number: ['7023456789'],
  account_label: ['Smartcard number'],
  lookup_by: ['account'],
  amount_due: [20],
  bouquet: ['Padi'],
  payment_status: ['paid'],
  commission_earned: [null],
  commission_share_percent: [50],
  meterNumber: ['P01234567'],
  outstanding: [12.5],
  min_amount: [1],
  max_amount: [1000],
  delivery: [{ delivered: 2 }],
  from: ['2026-01-01'],
  to: ['2026-01-31'],
  requires_phone: [false],
  links_phone_to_account: [false],
  page: [0],
  size_gb: [1],
  timestamp: [exampleMoment],
  scheduled_at: [null],
  next: [null],
}

const valuesByFormat: Readonly<Record<string, string>> = {
  'date-time': exampleMoment,
  date: '2026-01-15',
  uuid: exampleId,
  email: 'ama@example.com',
  uri: 'https://example.com',
}

const fits = (schema: Schema, value: unknown): boolean => Check(schema, value)

function isReference(name: string): boolean {
  return name === 'reference'
}

/**
 * The references of products, the same in a request and in the look-up of its order. A bill is looked up by our own reference, so
 * its request has another one.
 */
const referencesByTag: Readonly<Record<string, string>> = {
  'Data bundles': 'order-2026-0001',
  'Results checker': 'vouchers-2026-0001',
  SMS: 'sms-2026-0001',
  'Utility bills': 'UTIL-DSTV-7KQ2MZX4PD3VRTHA',
}

function exampleReference(tag: string): string {
  return referencesByTag[tag] ?? `${tag.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}-2026-0001`
}

/** Lists that are empty in the examples: no order of the batch was skipped, and a smartcard has no meters. */
const emptyLists: ReadonlySet<string> = new Set(['skipped', 'meters'])

function ofType(schema: Schema): unknown {
  const types = typesOf(schema)
  if (types.includes('integer') || types.includes('number')) return schema.minimum ?? 1
  if (types.includes('boolean')) return true
  if (types.includes('null') && types.length === 1) return null
  return valuesByFormat[schema.format ?? ''] ?? 'text'
}

type Place = { readonly name: string; readonly tag: string; readonly isRequest: boolean }

function exampleObject(schema: Schema, place: Place): Record<string, unknown> {
  const required = new Set(schema.required)
  const entries = Object.entries(schema.properties ?? {})
    // A request shows the required fields and the reference, which makes it safe to repeat. An answer shows all fields except
    // those that only some answers have.
    .filter(([name]) => required.has(name) || (place.isRequest && isReference(name)))
    .map(([name, property]) => [name, makeExample(property, { ...place, name })])
  return Object.fromEntries(entries) as Record<string, unknown>
}

/** An example for a schema: its own where it has one, else the usual value of a field of this name, else one of its type. */
export function makeExample(schema: Schema, place: Place): unknown {
  if (schema.const !== undefined) return schema.const
  const own = schema.examples?.[0] ?? schema.example
  if (own !== undefined) return own
  const reference = exampleReference(place.tag)
  if (isReference(place.name) && fits(schema, reference)) return reference
  const known = valuesByName[place.name]?.find((value) => fits(schema, value))
  if (known !== undefined) return known
  if (schema.enum) return schema.enum[0]
  const [choice] = schema.anyOf ?? schema.oneOf ?? []
  if (choice) return makeExample(choice, place)
  if (typesOf(schema).includes('array')) {
    return schema.items && !emptyLists.has(place.name)
      ? [makeExample(schema.items, { ...place, name: place.name.replace(/s$/, '') })]
      : []
  }
  return typesOf(schema).includes('object') || schema.properties ? exampleObject(schema, place) : ofType(schema)
}

/** An example of a request's body, or undefined when it takes none. */
export function exampleBody(operation: Operation): unknown {
  return operation.body && makeExample(operation.body, { name: '', tag: operation.tag, isRequest: true })
}

export function exampleParameter(operation: Operation, parameter: DocumentedParameter): unknown {
  const schema = parameter.schema ?? {}
  if (parameter.example !== undefined && !isReference(parameter.name)) return parameter.example
  return makeExample(schema, { name: parameter.name, tag: operation.tag, isRequest: true })
}
