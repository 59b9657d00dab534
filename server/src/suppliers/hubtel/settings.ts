import Type, { type Static } from 'typebox'
import Value from 'typebox/value'
import type { Pesewas } from '../../money/pesewas.ts'
import { MinimumFloatGhs, minimumFloatGhsDefault, settingsFault } from '../adapter.ts'
import { reportedPesewas } from '../calling/reported-values.ts'

const Words = Type.Record(Type.String(), Type.String())
/** Hubtel's account ids are numbers, and arrive as such from a command line. */
const Id = Type.Union([Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$' }), Type.Integer({ minimum: 1 })])
const Host = Type.String({ pattern: '^https://[^/?#@]+(/[^?#]*)?$' })

/**
 * The `settings` of a Hubtel row in `suppliers`: everything that may differ between accounts, or change. The two ids are
 * required, `email` only for Ghana Water; all else has a default.
 */
export const HubtelSettings = Type.Object(
  {
    /** The prepaid deposit account that pays, in the path of every query and payment. */
    prepaidDepositId: Type.Optional(Id),
    /** The POS sales account, in the path of the status look-up. It is not the id above. */
    posSalesId: Type.Optional(Id),
    /** Our e-mail address, which Ghana Water requires with every payment. */
    email: Type.Optional(Type.String({ pattern: '^[\\x21-\\x7e]+@[\\x21-\\x7e]+$', maxLength: 100 })),
    /** Hosts of the transaction status and of the balance. */
    statusBaseUrl: Type.Optional(Host),
    balanceBaseUrl: Type.Optional(Host),
    /** Hubtel's ids of its services, by our network or biller. */
    airtimeServices: Type.Optional(Words),
    dataServices: Type.Optional(Words),
    billServices: Type.Optional(Words),
    /** More response codes, with their meanings: see `CodeMeaning`. */
    codes: Type.Optional(Words),
    /** The most airtime in one request, in GHS. */
    airtimeMaximumGhs: Type.Optional(Type.Number({ minimum: 0 })),
    /** In GHS. Below this our float counts as empty. */
    minimumFloatGhs: Type.Optional(MinimumFloatGhs),
  },
  { additionalProperties: false },
)
export type HubtelSettings = Static<typeof HubtelSettings>

/**
 * The meaning of a response code.
 *
 * - `delivered`, `accepted`, `unknown`: as for every supplier
 * - `failed_if_final`: a failure in a callback or a status; in the answer to a payment it decides nothing
 * - `refused`: a refusal in the answer to a payment, and a failure in a callback; in a status it decides nothing
 * - `float`: Hubtel says that our float is empty; that decides nothing, because it has delivered after saying so
 * - `auth`, `disabled`: Hubtel refuses our credentials, or has disabled our account
 */
export const codeMeanings = [
  'delivered',
  'accepted',
  'unknown',
  'failed_if_final',
  'refused',
  'float',
  'auth',
  'disabled',
] as const
export type CodeMeaning = (typeof codeMeanings)[number]

const defaultCodes: Readonly<Record<string, CodeMeaning>> = {
  '0000': 'delivered',
  '0001': 'accepted',
  '0005': 'unknown',
  '2000': 'failed_if_final',
  '2001': 'failed_if_final',
  '4000': 'refused',
  '4010': 'refused',
  '4075': 'float',
  '4101': 'auth',
  '4103': 'disabled',
}

const defaultAirtimeServices = {
  MTN: 'fdd76c884e614b1c8f669a3207b09a98',
  Telecel: 'f4be83ad74c742e185224fdae1304800',
  AT: 'dae2142eb5a14c298eace60240c09e4b',
}

/** Hubtel sells one kind of AT bundle. If it also sells AT-BigTime, the operator adds the id. */
const defaultDataServices = {
  MTN: 'b230733cd56b4a0fad820e39f66bc27c',
  Telecel: 'fa27127ba039455da04a2ac8a1613e00',
  'AT-iShare': '06abd92da459428496967612463575ca',
}

const defaultBillServices = {
  ecg: 'e6d6bac062b5499cb1ece1ac3d742a84',
  ghana_water: '6c1e8a82d2e84feeb8bfd6be2790d71d',
  dstv: '297a96656b5846ad8b00d5d41b256ea7',
  gotv: 'e6ceac7f3880435cb30b048e9617eb41',
  startimes: '6598652d34ea4112949c93c079c501ce',
}

/** Hubtel's limit for airtime in one request. */
const airtimeMaximumGhsDefault = 100

/** The settings, with defaults for everything that is not set. */
export type HubtelVocabulary = {
  readonly prepaidDepositId: string
  readonly posSalesId: string
  readonly email: string | undefined
  readonly statusBaseUrl: string
  readonly balanceBaseUrl: string
  readonly airtimeServices: ReadonlyMap<string, string>
  readonly dataServices: ReadonlyMap<string, string>
  readonly billServices: ReadonlyMap<string, string>
  readonly codes: ReadonlyMap<string, CodeMeaning>
  readonly airtimeMaximumPesewas: Pesewas
  readonly minimumFloatPesewas: Pesewas
}

function readCodes(added: Record<string, string> | undefined): ReadonlyMap<string, CodeMeaning> {
  const codes = new Map<string, CodeMeaning>(Object.entries(defaultCodes))
  for (const [code, meaning] of Object.entries(added ?? {})) {
    const found = codeMeanings.find((each) => each === meaning)
    if (found === undefined)
      throw new Error(`the code "${code}" cannot mean "${meaning}"; it must be one of ${codeMeanings.join(', ')}`)
    codes.set(code, found)
  }
  return codes
}

function readServices(known: Readonly<Record<string, string>>, added: Record<string, string> | undefined): Map<string, string> {
  const services = new Map(Object.entries({ ...known, ...added }))
  for (const [key, id] of services) {
    if (!/^[A-Za-z0-9_-]{1,64}$/.test(id)) throw new Error(`the service id of ${key} must be letters, digits, - and _`)
  }
  return services
}

function readAmount(name: string, ghs: number): Pesewas {
  const amount = reportedPesewas(ghs)
  if (amount === undefined) throw new Error(`${name} is not an amount`)
  return amount
}

/** @throws Error that says which setting is wrong, because the supplier could not be opened with it */
export function checkHubtelSettings(settings: unknown): HubtelSettings {
  if (!Value.Check(HubtelSettings, settings)) throw settingsFault('a Hubtel supplier', HubtelSettings, settings)
  for (const name of ['statusBaseUrl', 'balanceBaseUrl'] as const) {
    const url = settings[name]
    if (url !== undefined && !URL.canParse(url)) throw new Error(`${name} is no address`)
  }
  readAmount('airtimeMaximumGhs', settings.airtimeMaximumGhs ?? airtimeMaximumGhsDefault)
  readCodes(settings.codes)
  for (const added of [settings.airtimeServices, settings.dataServices, settings.billServices]) readServices({}, added)
  return settings
}

/**
 * Checks the settings of a supplier's row and adds defaults.
 * @throws Error that names the wrong or missing setting
 */
export function readHubtelSettings(unchecked: unknown): HubtelVocabulary {
  const settings = checkHubtelSettings(unchecked)
  const { prepaidDepositId, posSalesId } = settings
  if (prepaidDepositId === undefined) throw new Error('the setting prepaidDepositId is missing')
  if (posSalesId === undefined) throw new Error('the setting posSalesId is missing')
  return {
    prepaidDepositId: String(prepaidDepositId),
    posSalesId: String(posSalesId),
    email: settings.email,
    statusBaseUrl: settings.statusBaseUrl ?? 'https://api-txnstatus.hubtel.com',
    balanceBaseUrl: settings.balanceBaseUrl ?? 'https://trnf.hubtel.com',
    airtimeServices: readServices(defaultAirtimeServices, settings.airtimeServices),
    dataServices: readServices(defaultDataServices, settings.dataServices),
    billServices: readServices(defaultBillServices, settings.billServices),
    codes: readCodes(settings.codes),
    airtimeMaximumPesewas: readAmount('airtimeMaximumGhs', settings.airtimeMaximumGhs ?? airtimeMaximumGhsDefault),
    minimumFloatPesewas: readAmount('minimumFloatGhs', settings.minimumFloatGhs ?? minimumFloatGhsDefault),
  }
}
