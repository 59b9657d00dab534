import type { Db } from '../../../platform/database/database.ts'
import { cachedByEpoch, type Epoch } from '../../../platform/database/epoch.ts'
import type { Settings } from '../../../platform/settings/settings.ts'
import type { SupplierRegistry } from '../../../suppliers/ports.ts'
import { type RegistrationSupplier, registersNumbers } from '../../../suppliers/registration-port.ts'
import { registrationServers, registrationSuppliers } from '../data.settings.ts'

/** The two registries of the contract. */
export type ServerNo = 1 | 2

/** A registration server. `supplier` is undefined while the server cannot be asked. */
export type RegistrationServer = { readonly server: ServerNo; readonly supplier: RegistrationSupplier | undefined }

export type RegistrationServers = {
  /** The servers whose answer counts at the moment (decision N7). */
  listAccepted(): Promise<readonly RegistrationServer[]>
  /** The accepted servers, without waiting; undefined when the setting is not cached. */
  peekAccepted(): readonly ServerNo[] | undefined
  /** Finds one server with its supplier, accepted or not. */
  read(server: ServerNo): Promise<RegistrationServer>
}

type ServersDeps = {
  readonly db: Db
  readonly epoch: Epoch
  readonly settings: Settings
  readonly registry: Pick<SupplierRegistry, 'find'>
}

export async function readEnabledNames(db: Db): Promise<ReadonlySet<string>> {
  const rows = await db.selectFrom('suppliers').select('name').where('is_enabled', '=', true).execute()
  return new Set(rows.map((row) => row.name))
}

/** Finds the registration servers among the suppliers, as the operator's settings name them. */
export function createRegistrationServers({ db, epoch, settings, registry }: ServersDeps): RegistrationServers {
  const readServerSettings = cachedByEpoch(epoch, async () => {
    const [accepted, names, enabled] = await Promise.all([
      settings.read(registrationServers),
      settings.read(registrationSuppliers),
      readEnabledNames(db),
    ])
    return { accepted, enabledNames: names.map((name) => (enabled.has(name) ? name : '')) }
  })

  function find(server: ServerNo, enabledNames: readonly string[]): RegistrationServer {
    const supplier = registry.find(enabledNames[server - 1] ?? '')
    return { server, supplier: supplier && registersNumbers(supplier) ? supplier : undefined }
  }

  return {
    read: async (server) => find(server, (await readServerSettings('')).enabledNames),
    peekAccepted: () => settings.peek(registrationServers),
    listAccepted: async () => {
      const { accepted, enabledNames } = await readServerSettings('')
      return accepted.map((server) => find(server, enabledNames))
    },
  }
}
