import Type, { type Static } from 'typebox'
import Value from 'typebox/value'
import { ApiPath, MinimumFloatGhs, minimumFloatGhsDefault, settingsFault } from '../adapter.ts'
import {
  type ErrorMeaning,
  errorMeanings,
  mergeVocabulary,
  type StatusMeaning,
  statusMeanings,
} from '../calling/supplier-vocabulary.ts'

const Words = Type.Record(Type.String(), Type.String())

/**
 * The `settings` of a DataMart row in `suppliers`: everything that may differ between accounts, or change. Each has a
 * default: see `readDatamartSettings`.
 */
export const DatamartSettings = Type.Object(
  {
    /** Our networks in DataMart's words. */
    networks: Type.Optional(Words),
    /** The API's path below the base URL. */
    apiPath: Type.Optional(ApiPath),
    gateway: Type.Optional(Type.String()),
    /** Sizes that DataMart sells, in GB. Absent: all sizes. */
    capacities: Type.Optional(Type.Array(Type.Number({ exclusiveMinimum: 0 }))),
    /** More words of `orderStatus`, with their meanings: accepted, delivered or failed. */
    statusWords: Type.Optional(Words),
    /** More error codes, with their meanings: see `ErrorMeaning`. */
    errorCodes: Type.Optional(Words),
    /** In GHS. Below this our float counts as empty. */
    minimumFloatGhs: Type.Optional(MinimumFloatGhs),
  },
  { additionalProperties: false },
)
export type DatamartSettings = Static<typeof DatamartSettings>

/** The settings, with defaults for everything that is not set. */
export type DatamartVocabulary = {
  readonly networks: Readonly<Record<string, string>>
  readonly apiPath: string
  readonly gateway: string
  /** The sizes in GB that DataMart sells. If the list is empty, any size may be bought. */
  readonly capacities: readonly number[]
  readonly statusWords: ReadonlyMap<string, StatusMeaning>
  readonly errorCodes: ReadonlyMap<string, ErrorMeaning>
  readonly minimumFloatGhs: number
}

const defaultNetworks = { MTN: 'YELLO', Telecel: 'TELECEL', 'AT-iShare': 'AT_PREMIUM' }

const defaultStatusWords: Readonly<Record<string, StatusMeaning>> = {
  pending: 'accepted',
  waiting: 'accepted',
  processing: 'accepted',
  queued: 'accepted',
  completed: 'delivered',
  failed: 'failed',
  // The supplier refunded us: the bundle was not delivered and will not be.
  refunded: 'failed',
}

const defaultErrorCodes: Readonly<Record<string, ErrorMeaning>> = {
  INVALID_RECIPIENT: 'rejected_recipient',
  INVALID_PHONE: 'rejected_recipient',
  NETWORK_MISMATCH: 'rejected_recipient',
  INVALID_REQUEST: 'rejected_request',
  INVALID_NETWORK: 'rejected_request',
  INVALID_CAPACITY: 'rejected_request',
  INSUFFICIENT_BALANCE: 'float',
  INVALID_API_KEY: 'auth',
  IP_NOT_ALLOWED: 'auth',
  ACCOUNT_DISABLED: 'disabled',
  NUMBER_NOT_REGISTERED: 'not_registered',
  ACTIVATE_FIRST: 'not_registered',
  DUPLICATE_ORDER: 'duplicate_exists',
  REQUEST_IN_PROGRESS: 'duplicate_exists',
  RATE_LIMITED: 'throttled',
  RATE_LIMIT_EXCEEDED: 'throttled',
  ORDER_NOT_FOUND: 'never_received',
  // DataMart has another purchase under our reference. A person must look at that.
  REFERENCE_CONFLICT: 'unknown',
}

/**
 * Checks the settings of a supplier's row and adds defaults.
 * @throws Error that names the wrong setting
 */
export function readDatamartSettings(settings: unknown): DatamartVocabulary {
  if (!Value.Check(DatamartSettings, settings)) throw settingsFault('a DataMart supplier', DatamartSettings, settings)
  return {
    networks: { ...defaultNetworks, ...settings.networks },
    apiPath: settings.apiPath ?? '/api/developer',
    gateway: settings.gateway ?? 'wallet',
    capacities: settings.capacities ?? [],
    statusWords: mergeVocabulary(defaultStatusWords, settings.statusWords, statusMeanings, (word) => word.toLowerCase()),
    errorCodes: mergeVocabulary(defaultErrorCodes, settings.errorCodes, errorMeanings, (word) => word.toUpperCase()),
    minimumFloatGhs: settings.minimumFloatGhs ?? minimumFloatGhsDefault,
  }
}
