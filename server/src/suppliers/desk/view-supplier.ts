import type { Static } from 'typebox'
import { ghs, pesewas } from '../../money/pesewas.ts'
import { listProposalsOf } from '../../platform/approvals/list-approvals.ts'
import type { Db } from '../../platform/database/database.ts'
import type { SecretsKeys } from '../../platform/secrets/secrets-keys.ts'
import { adapters } from '../adapters.ts'
import type { SupplierRegistry } from '../ports.ts'
import { supplierKind } from '../registry/change-supplier.ts'
import { type ListedSupplier, listSuppliers } from '../registry/list-suppliers.ts'
import { readRoutes } from '../routes/read-routes.ts'
import type { DeskSupplier, DeskSupplierList } from './suppliers.schemas.ts'

export type SupplierViewDeps = {
  readonly db: Db
  readonly secretsKeys: SecretsKeys
  readonly suppliers: SupplierRegistry
  readonly isSimulated: boolean
}

const roles: Readonly<Record<string, 'sms' | 'registration'>> = { smpp: 'sms', registration: 'registration' }

/** A supplier as the desk shows it. Only the names of its credentials are shown. */
function viewSupplier(
  listed: ListedSupplier,
  routes: readonly { readonly supplier: string; readonly health: { readonly state: string } }[],
  { suppliers, isSimulated }: SupplierViewDeps,
  proposals: ReadonlyMap<string, string>,
): Static<typeof DeskSupplier> {
  const { name, adapter, credentials_set: set, credentials_missing: missing, credentials_set_at: setAt } = listed
  const opened = suppliers.find(name)
  const role = roles[adapter] ?? 'orders'
  const own = routes.filter((route) => route.supplier === name)
  return {
    supplier: name,
    adapter,
    role,
    is_enabled: listed.enabled,
    is_usable: opened !== undefined,
    is_simulated: isSimulated,
    base_url: listed.base_url,
    proposal: proposals.get(name) ?? null,
    slots: listed.slots,
    requests_per_second: listed.requests_per_second,
    settings: listed.settings,
    credentials: [...set, ...missing]
      .toSorted()
      .map((each) => ({ name: each, is_set: set.includes(each), set_at: setAt[each] ?? null })),
    float: listed.float,
    float_read_at: listed.float_read_at,
    least_float: role === 'orders' && opened ? ghs(pesewas(opened.minimumFloatPesewas)) : null,
    open_routes: own.filter(({ health }) => health.state === 'open').length,
    paused_routes: own.filter(({ health }) => health.state === 'paused').length,
  }
}

/** All suppliers, and the adapters for a new one. */
export async function viewSuppliers(deps: SupplierViewDeps): Promise<Static<typeof DeskSupplierList>> {
  const [listed, routes, proposals] = await Promise.all([
    listSuppliers(deps.db, deps.secretsKeys),
    readRoutes(deps.db),
    listProposalsOf(deps.db, supplierKind),
  ])
  return {
    suppliers: listed.map((each) => viewSupplier(each, routes, deps, proposals)),
    adapters: Object.entries(adapters).map(([adapter, { credentialNames, usualBaseUrl }]) => ({
      adapter,
      credentials: [...credentialNames],
      usual_base_url: usualBaseUrl ?? null,
    })),
  }
}
