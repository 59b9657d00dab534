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

/** The `settings` of a DataKazina row in `suppliers`: everything that may differ between accounts, or change. */
export const DatakazinaSettings = Type.Object(
  {
    /** Our networks in DataKazina's numbers (`network_id`). */
    networks: Type.Optional(Type.Record(Type.String(), Type.Integer({ minimum: 0 }))),
    /** The API's path below the base URL. */
    apiPath: Type.Optional(ApiPath),
    /** The unit of `shared_bundle`, and so of each package's code. */
    sharedBundleUnit: Type.Optional(Type.Union([Type.Literal('MB'), Type.Literal('GB')])),
    /** MB in one GB, as DataKazina counts. */
    megabytesPerGigabyte: Type.Optional(Type.Union([Type.Literal(1000), Type.Literal(1024)])),
    /** More words of `status`, with their meanings: accepted, delivered or failed. */
    statusWords: Type.Optional(Words),
    /** More error codes, with their meanings: see `ErrorMeaning`. */
    errorCodes: Type.Optional(Words),
    /** In GHS. Below this our float counts as empty. */
    minimumFloatGhs: Type.Optional(MinimumFloatGhs),
  },
  { additionalProperties: false },
)
export type DatakazinaSettings = Static<typeof DatakazinaSettings>

/** The settings, with defaults for everything that is not set. */
export type DatakazinaVocabulary = {
  readonly networks: Readonly<Record<string, number>>
  readonly apiPath: string
  readonly sharedBundleUnit: 'MB' | 'GB'
  readonly megabytesPerGigabyte: number
  readonly statusWords: ReadonlyMap<string, StatusMeaning>
  readonly errorCodes: ReadonlyMap<string, ErrorMeaning>
  readonly minimumFloatGhs: number
}

const defaultNetworks = { MTN: 3, Telecel: 2, 'AT-iShare': 1, 'AT-BigTime': 4 }

const defaultStatusWords: Readonly<Record<string, StatusMeaning>> = {
  pending: 'accepted',
  queued: 'accepted',
  processing: 'accepted',
  delivered: 'delivered',
  completed: 'delivered',
  failed: 'failed',
  // The supplier refunded us: the bundle was not delivered and will not be.
  refunded: 'failed',
}

const defaultErrorCodes: Readonly<Record<string, ErrorMeaning>> = {
  INVALID_RECIPIENT: 'rejected_recipient',
  INVALID_REQUEST: 'rejected_request',
  INVALID_NETWORK: 'rejected_request',
  INVALID_BUNDLE: 'rejected_request',
  INSUFFICIENT_BALANCE: 'float',
  UNAUTHENTICATED: 'auth',
  ACCOUNT_DISABLED: 'disabled',
  NUMBER_NOT_REGISTERED: 'not_registered',
  TOO_MANY_REQUESTS: 'throttled',
}

/**
 * Checks the settings of a supplier's row and adds defaults.
 * @throws Error that names the wrong setting
 */
export function readDatakazinaSettings(settings: unknown): DatakazinaVocabulary {
  if (!Value.Check(DatakazinaSettings, settings)) throw settingsFault('a DataKazina supplier', DatakazinaSettings, settings)
  return {
    networks: { ...defaultNetworks, ...settings.networks },
    apiPath: settings.apiPath ?? '/api/v1',
    sharedBundleUnit: settings.sharedBundleUnit ?? 'MB',
    megabytesPerGigabyte: settings.megabytesPerGigabyte ?? 1000,
    statusWords: mergeVocabulary(defaultStatusWords, settings.statusWords, statusMeanings, (word) => word.toLowerCase()),
    errorCodes: mergeVocabulary(defaultErrorCodes, settings.errorCodes, errorMeanings, (word) => word.toUpperCase()),
    minimumFloatGhs: settings.minimumFloatGhs ?? minimumFloatGhsDefault,
  }
}
