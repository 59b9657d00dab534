import type { SupplierTimeouts } from './calling/supplier-line.ts'
import type { AskSchedule, DataBundleRequest, Supplier } from './ports.ts'

/**
 * The times that differ between real suppliers and the simulator. With the simulator they are short, so that every
 * ending can be seen within a minute.
 */
export type SupplierTimes = {
  readonly timeouts: SupplierTimeouts
  readonly askSchedule: AskSchedule
  readonly probeSeconds: number
  /** How long to wait for a supplier's callback before it is first asked, if its documents ask for such a wait. */
  readonly callbackPatienceSeconds: number
  /**
   * How many seconds must lie between two look-ups that say `unfulfilled` before that is proof. For suppliers whose
   * look-up can say so.
   */
  readonly unfulfilledProofSeconds: number
}

/** What an adapter is made from: a supplier's row with its credentials unsealed. */
export type AdapterOptions = {
  readonly name: string
  readonly baseUrl: string
  readonly credentials: Readonly<Record<string, string>>
  readonly settings: unknown
  readonly slots: number
  readonly requestsPerSecond: number | null
  readonly times: SupplierTimes
  /** The address for the supplier's callback about one attempt. Nobody else can know it. */
  readonly callbackUrl: (outgoingReference: string) => string
  /** True: the simulator at `baseUrl` plays all hosts of the supplier, so hosts that the settings name must not be called. */
  readonly isSimulated: boolean
}

/** A package with the supplier's code for it. */
export type OfferedPackage = Pick<DataBundleRequest, 'network' | 'volumeGb' | 'packageCode'>

/** The code that speaks one supplier's format. */
export type Adapter = {
  /** The names of the credentials it needs. */
  readonly credentialNames: readonly string[]
  /** The supplier's usual address, which the desk suggests. Undefined when every customer has another host. */
  readonly usualBaseUrl: string | undefined
  /** Says what is wrong with settings, before they are stored. @throws Error */
  checkSettings(settings: unknown): void
  /**
   * What is wrong with the code of a package, as far as this can be known without asking the supplier. Undefined:
   * nothing. Absent when any text may be a code.
   * @throws Error when the settings are wrong
   */
  readonly findCodeProblem?: (settings: unknown, offered: OfferedPackage) => string | undefined
  /** @throws Error that says which setting or credential is missing or wrong */
  open(options: AdapterOptions): Supplier
}
