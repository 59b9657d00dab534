import Type, { type TSchema } from 'typebox'
import Value from 'typebox/value'
import { describeSchemaErrors } from '../platform/http/describe-schema-error.ts'
import type { SupplierTimeouts } from './calling/supplier-http-client.ts'
import type { AskSchedule, DataBundleRequest, Supplier } from './ports.ts'

/**
 * Times that differ between real suppliers and the simulator. The simulator's are short, so that every outcome can be seen
 * within a minute.
 */
export type SupplierTimes = {
  readonly timeouts: SupplierTimeouts
  readonly askSchedule: AskSchedule
  readonly probeSeconds: number
  /** How long to wait for a supplier's callback before the first look-up, if its documents demand that. */
  readonly callbackPatienceSeconds: number
  /**
   * Two look-ups that answer `unfulfilled` prove a failure when at least this many seconds lie between them. Only some
   * suppliers' look-ups give that answer.
   */
  readonly unfulfilledProofSeconds: number
}

/** A supplier's row with its credentials unsealed. */
export type AdapterOptions = {
  readonly name: string
  readonly baseUrl: string
  readonly credentials: Readonly<Record<string, string>>
  readonly settings: unknown
  readonly slots: number
  readonly requestsPerSecond: number | null
  readonly times: SupplierTimes
  /** Makes the secret address to which the supplier sends its callback about one attempt. */
  readonly callbackUrl: (outgoingReference: string) => string
  /** True: the simulator at `baseUrl` plays all hosts of the supplier, so hosts that the settings name must not be called. */
  readonly isSimulated: boolean
}

export type OfferedPackage = Pick<DataBundleRequest, 'network' | 'volumeGb' | 'packageCode'>

/** The code that speaks one supplier's format. */
export type Adapter = {
  readonly credentialNames: readonly string[]
  /** The supplier's usual address, which the desk suggests. Undefined when every customer has another host. */
  readonly usualBaseUrl: string | undefined
  /**
   * Checks settings before they are stored.
   * @throws Error that names the fault
   */
  checkSettings(settings: unknown): void
  /**
   * Checks an address before it is stored. Absent where it is one of HTTP.
   * @throws Error that names the fault
   */
  readonly checkBaseUrl?: (baseUrl: string) => void
  /**
   * Returns what is wrong with a package code, as far as that can be known without asking the supplier. Undefined: nothing.
   * Absent where any text may be a code.
   * @throws Error when the settings are wrong
   */
  readonly findCodeProblem?: (settings: unknown, offered: OfferedPackage) => string | undefined
  /** @throws Error that names the missing or wrong setting or credential */
  open(options: AdapterOptions): Supplier
}

/**
 * Names the invalid setting of a supplier in plain words.
 * @param of owner of the settings: `a DataMart supplier`
 */
export const settingsFault = (of: string, schema: TSchema, settings: unknown): Error =>
  new Error(`settings of ${of}: ${describeSchemaErrors(Value.Errors(schema, settings), 'settings')}`)

/** A path below the base URL, such as `/api/v1`; may be empty. */
export const ApiPath = Type.String({ pattern: '^(/[A-Za-z0-9._~-]+)*$' })

/** In GHS. Below this, our float at a supplier that fulfils orders counts as empty, unless its settings set another amount. */
export const minimumFloatGhsDefault = 5

/**
 * The setting with the operator's own amount, in GHS. Its maximum is larger than any float; in pesewas, JavaScript and
 * PostgreSQL still store it exactly.
 */
export const MinimumFloatGhs = Type.Number({ minimum: 0, maximum: 1_000_000_000 })
