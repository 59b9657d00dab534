import type { SupplierTimeouts } from './calling/supplier-line.ts'
import type { AskSchedule, DataBundleRequest, Supplier } from './ports.ts'

/**
 * Times that differ between real suppliers and the simulator. The simulator's are short, so that every ending can be seen
 * within a minute.
 */
export type SupplierTimes = {
  readonly timeouts: SupplierTimeouts
  readonly askSchedule: AskSchedule
  readonly probeSeconds: number
  /** How long to wait for a supplier's callback before the first look-up, if its documents demand that. */
  readonly callbackPatienceSeconds: number
  /**
   * Two look-ups that say `unfulfilled` are proof when they lie this many seconds apart. For suppliers whose look-up can say
   * so.
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
  /** Address for the supplier's callback about one attempt. Nobody else can know it. */
  readonly callbackUrl: (outgoingReference: string) => string
  /** True: the simulator at `baseUrl` plays all hosts of the supplier, so hosts that the settings name must not be called. */
  readonly isSimulated: boolean
}

/** A package with the supplier's code for it. */
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
   * Finds the fault of a package code, as far as it can be known without asking the supplier. Undefined: none. Absent when
   * any text may be a code.
   * @throws Error when the settings are wrong
   */
  readonly findCodeProblem?: (settings: unknown, offered: OfferedPackage) => string | undefined
  /** @throws Error that names the missing or wrong setting or credential */
  open(options: AdapterOptions): Supplier
}
