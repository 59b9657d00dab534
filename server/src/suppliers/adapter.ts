import type { SupplierTimeouts } from './calling/supplier-line.ts'
import type { AskSchedule, DataBundleRequest, Supplier } from './ports.ts'

/** The times that differ between real suppliers and the simulator, where every ending is to be seen within a minute. */
export type SupplierTimes = {
  readonly timeouts: SupplierTimeouts
  readonly askSchedule: AskSchedule
  readonly probeSeconds: number
  /** How long a supplier that calls back is left in peace before the first question, where its documents ask for that. */
  readonly callbackPatienceSeconds: number
  /** How far apart two look-ups must say `unfulfilled` before it is believed, where a supplier's look-up can say so. */
  readonly unfulfilledProofSeconds: number
}

/** What an adapter is made from: a supplier's row, opened. */
export type AdapterOptions = {
  readonly name: string
  readonly baseUrl: string
  readonly credentials: Readonly<Record<string, string>>
  readonly settings: unknown
  readonly slots: number
  readonly requestsPerSecond: number | null
  readonly times: SupplierTimes
  /** Where the supplier is to call back about one attempt: an address that nobody else can know. */
  readonly callbackUrl: (outgoingReference: string) => string
  /** All hosts of the supplier are the simulator at `baseUrl`; none that the settings name may be called. */
  readonly isSimulated: boolean
}

/** A package with what a supplier is to call it. */
export type OfferedPackage = Pick<DataBundleRequest, 'network' | 'volumeGb' | 'packageCode'>

/** The code that speaks one supplier's format. */
export type Adapter = {
  /** The names of the credentials it needs. */
  readonly credentialNames: readonly string[]
  /** Where it usually is, for `supplier set` to suggest; undefined when every customer has a host of its own. */
  readonly usualBaseUrl: string | undefined
  /** Says what is wrong with settings, before they are stored. @throws Error */
  checkSettings(settings: unknown): void
  /**
   * What is wrong with the code of a package, as far as anybody can tell without asking the supplier; undefined: nothing.
   * Absent where any text may be a code. @throws Error when the settings are wrong
   */
  readonly findCodeProblem?: (settings: unknown, offered: OfferedPackage) => string | undefined
  /** @throws Error that says which setting or credential is missing or wrong */
  open(options: AdapterOptions): Supplier
}
