import type { Logger } from 'pino'
import type { Db } from '../../platform/database/database.ts'
import type { Epoch } from '../../platform/database/epoch.ts'
import { followEpoch } from '../../platform/database/follow-epoch.ts'
import type { SecretsKeys } from '../../platform/secrets/secrets-keys.ts'
import { adapters } from '../adapters.ts'
import { callbackUrl } from '../callback-address.ts'
import { liveTimes, simulatedTimesWith } from '../calling/supplier-times.ts'
import type { Supplier, SupplierRegistry } from '../ports.ts'
import { findSimulator, type SimulatorSource, simulatorWroteAt } from './find-simulator.ts'
import { type SupplierCredentials, unsealCredentials } from './supplier-credentials.ts'

/** Credentials that the simulator accepts, by adapter. They are not secret: they work only there. */
export const simulatedCredentials: Readonly<Record<string, SupplierCredentials>> = {
  datamart: { apiKey: 'simulated-datamart-key', webhookSecret: 'simulated-datamart-secret' },
  datakazina: { apiKey: 'simulated-datakazina-key' },
  hubtel: { apiId: 'simulated-hubtel-id', apiKey: 'simulated-hubtel-key' },
  registration: { apiKey: 'simulated-registration-key' },
  smpp: { systemId: 'simulated', password: 'smpp' },
}

export type SupplierDeps = {
  readonly db: Db
  readonly epoch: Epoch
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>
  readonly config: SimulatorSource & {
    readonly suppliers: 'simulator' | 'live'
    /** Time limit of a call to the simulator, if not the usual second. */
    readonly simulatorCallSeconds?: number | undefined
    readonly publicUrl: string
  }
  readonly secretsKeys: SecretsKeys
}

/** A supplier with a fingerprint of its row, so that only changed suppliers are opened again. */
type Opened = { readonly fingerprint: string; readonly supplier: Supplier | undefined }

/** Interval of looking for a restarted simulator. */
const simulatorCheckMilliseconds = 500

function readRows(db: Db) {
  return db
    .selectFrom('suppliers')
    .select(['name', 'adapter', 'base_url', 'settings', 'credentials', 'slots', 'requests_per_second'])
    .orderBy('name')
    .execute()
}
type SupplierRow = Awaited<ReturnType<typeof readRows>>[number]

/**
 * Opens the supplier of a row.
 * @throws Error that names what the row lacks
 */
function openSupplier(deps: SupplierDeps, row: SupplierRow, simulatorUrl: string | undefined): Supplier {
  const adapter = Object.hasOwn(adapters, row.adapter) ? adapters[row.adapter] : undefined
  if (!adapter) throw new Error(`there is no adapter "${row.adapter}"; known: ${Object.keys(adapters).join(', ')}`)
  const isSimulated = deps.config.suppliers === 'simulator'
  const baseUrl = isSimulated ? simulatorUrl && `${simulatorUrl}/${row.adapter}` : row.base_url
  if (!baseUrl) throw new Error(isSimulated ? 'the simulator is not running' : 'base_url is not set')
  return adapter.open({
    name: row.name,
    baseUrl,
    credentials: isSimulated
      ? (simulatedCredentials[row.adapter] ?? {})
      : unsealCredentials(deps.secretsKeys, row.name, row.credentials),
    settings: row.settings,
    slots: row.slots,
    requestsPerSecond: row.requests_per_second,
    times: isSimulated ? simulatedTimesWith(deps.config.simulatorCallSeconds) : liveTimes,
    callbackUrl: (outgoingReference) => callbackUrl(deps, row.name, outgoingReference),
    isSimulated,
  })
}

/**
 * Opens every supplier of the table `suppliers` and follows its changes: within a second of a commit, every process uses the
 * new address, credentials, pace and settings. Opens disabled suppliers too, because they must still be asked about earlier
 * orders. Leaves out, and logs, a supplier that cannot be opened.
 *
 * With SUPPLIERS=simulator all suppliers are at the simulator, with its fixed credentials and shortened times.
 */
export async function loadSuppliers(deps: SupplierDeps): Promise<SupplierRegistry> {
  let opened: ReadonlyMap<string, Opened> = new Map()
  let simulatorUrl: string | undefined

  function open(row: SupplierRow): Opened {
    const fingerprint = JSON.stringify([row, simulatorUrl])
    const known = opened.get(row.name)
    if (known?.fingerprint === fingerprint) return known
    try {
      return { fingerprint, supplier: openSupplier(deps, row, simulatorUrl) }
    } catch (error) {
      deps.log.error({ supplier: row.name, reason: String(error) }, 'a supplier cannot be used as it is configured')
      return { fingerprint, supplier: undefined }
    }
  }

  async function load(): Promise<ReadonlyMap<string, Opened>> {
    if (deps.config.suppliers === 'simulator') simulatorUrl = await findSimulator(deps.config)
    const rows = await readRows(deps.db)
    const before = opened
    opened = new Map(rows.map((row) => [row.name, open(row)]))
    for (const [name, old] of before) {
      // Calls on the old connections end normally; no new call starts there.
      if (opened.get(name) !== old) void old.supplier?.close().catch(() => undefined)
    }
    return opened
  }

  const followed = await followEpoch(deps.epoch, load, (error) => {
    deps.log.error({ reason: String(error) }, 'the suppliers could not be read; the last known ones stay in use')
  })

  // A value that no file's time has, so that the first call always reads the file.
  let simulatorCheckedAt: number | undefined = -1
  async function checkForSimulator(): Promise<void> {
    const wroteAt = await simulatorWroteAt(deps.config)
    if (wroteAt === simulatorCheckedAt) return
    simulatorCheckedAt = wroteAt
    if ((await findSimulator(deps.config)) === simulatorUrl) return
    await followed.refresh().catch(() => undefined)
  }
  const timer =
    deps.config.suppliers === 'simulator' && deps.config.simulatorUrl === undefined
      ? setInterval(() => void checkForSimulator(), simulatorCheckMilliseconds).unref()
      : undefined

  return {
    find: (name) => followed.value().get(name)?.supplier,
    list: () => [...followed.value().values()].flatMap((each) => each.supplier ?? []),
    refresh: () => followed.refresh(),
    stop: async () => {
      clearInterval(timer)
      followed.stop()
      await Promise.all([...opened.values()].map(async (each) => each.supplier?.close()))
    },
  }
}
