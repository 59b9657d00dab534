import { sql } from 'kysely'
import Type, { type Static } from 'typebox'
import { createDetailsReader } from '../../orders/create-details-reader.ts'
import type { OrderItem, OrderKind } from '../../orders/order-kind.ts'
import type { TableRow, Tx } from '../../platform/database/database.ts'
import { raiseCatalogueVersion } from '../../platform/database/epoch.ts'
import { rowsOf } from '../../platform/database/rows-of.ts'
import { type Refusal, refusals } from '../../platform/http/refusals.ts'
import { OneOf } from '../../platform/http/schemas.ts'
import type { Route } from '../../suppliers/route-ports.ts'
import { dataRefusals } from './data.refusals.ts'
import { dataNetworks } from './data.schemas.ts'
import { type DataPackage, type PackageCatalogue, packageKey, readPackageCatalogue } from './package-catalogue.ts'
import type { Registration } from './registration/combine-states.ts'

/** A requested bundle, with the facts that this process knew when the request came. */
export type DataRequest = {
  readonly network: string
  readonly volumeGb: number
  /** 10 digits starting with 0. */
  readonly recipient: string
  /** Version of the catalogue that `package` comes from. */
  readonly catalogueVersion: number
  /** Undefined: there is no such package, which is refused only after the reference has proved new. */
  readonly package: DataPackage | undefined
  /** The refusal of the switch or the prefix table, if any. It does not apply to a replay. */
  readonly refusalIfNew: Refusal | undefined
  /** The registration servers' answer about the recipient; `registered` where no registration is needed. */
  readonly registration: Registration
  /**
   * The treatment of an order whose number is not registered with MTN. `hold`: the order waits until it is. `refuse`: nothing
   * of the request is bought. `skip`: the other orders of the request are bought.
   */
  readonly whenNotRegistered: 'hold' | 'refuse' | 'skip'
  /** The network's routes, best first. The first one whose supplier offers the package is used. */
  readonly routes: readonly Route[]
}

const DataDetails = Type.Object({
  network: OneOf(dataNetworks),
  /** Names the package together with the network, because a network has one package of each volume. */
  size: Type.String({ pattern: String.raw`^\d+(\.\d+)?GB$` }),
  /** The package whose limited stock the order reduced. A refund restores it (decision N7b: stock comes back with the refund). */
  stockPackageId: Type.Optional(Type.String()),
})

type DataDetails = Static<typeof DataDetails>

export const readDataDetails = createDetailsReader('data', DataDetails)

/** The name of a bundle, such as `MTN 1GB`. Orders and packages with the same name belong together. */
export function titleOfBundle({ network, size }: Pick<DataDetails, 'network' | 'size'>): string {
  return `${network} ${size}`
}

/** The present packages, read when an item comes from an older catalogue, and the stock of limited packages. */
type DataRead = { readonly fresh: ReadonlyMap<string, DataPackage> | undefined; readonly stock: Map<string, number> }

export function sizeOf(volumeGb: number): string {
  return `${volumeGb}GB`
}

export function volumeOf(size: string): number {
  return Number.parseFloat(size)
}

function packageOf(item: OrderItem<DataRequest>, read: DataRead): DataPackage | undefined {
  const { request } = item
  return read.fresh ? read.fresh.get(packageKey(request.network, request.volumeGb)) : request.package
}

/**
 * The first ranked route whose supplier offers the package.
 * @returns undefined when no supplier offers it, so that it cannot be sent
 */
export function findOfferedRoute(ranked: readonly Route[], wanted: Pick<DataPackage, 'suppliers'>): Route | undefined {
  return ranked.find(({ supplier }) => wanted.suppliers.has(supplier))
}

async function readForBatch(tx: Tx, items: readonly OrderItem<DataRequest>[], catalogueVersion: number): Promise<DataRead> {
  const isStale = items.some((item) => item.request.catalogueVersion !== catalogueVersion)
  const fresh = isStale ? (await readPackageCatalogue(tx)).byNetworkAndVolume : undefined
  const limited = new Set<string>()
  for (const item of items) {
    const wanted = packageOf(item, { fresh, stock: new Map() })
    if (wanted && wanted.stock !== null) limited.add(wanted.id)
  }
  if (limited.size === 0) return { fresh, stock: new Map() }
  const { rows } = await sql<TableRow<'packages', 'id' | 'stock'>>`
    select id, stock from packages where id = any(${[...limited]}::uuid[]) order by id for update`.execute(tx)
  return { fresh, stock: new Map(rows.flatMap((row) => (row.stock === null ? [] : [[row.id, row.stock] as const]))) }
}

/** Makes the input of `decide` from the cached catalogue, for a check without a purchase. */
export function readFromCatalogue({ packages }: PackageCatalogue): DataRead {
  return { fresh: undefined, stock: new Map(packages.flatMap(({ id, stock }) => (stock === null ? [] : [[id, stock] as const]))) }
}

export const dataKind: OrderKind<DataRequest, DataRead> = {
  name: 'data',
  unit: 'pesewas',
  insufficientFunds: refusals.insufficientFunds,
  fromMemory: {
    suffices: ({ request }, catalogueVersion) =>
      request.catalogueVersion === catalogueVersion && (request.package?.stock ?? null) === null,
    read: () => ({ fresh: undefined, stock: new Map() }),
  },
  read: readForBatch,
  decide(item, view, read) {
    const { request } = item
    if (request.refusalIfNew) return { refusal: request.refusalIfNew }
    const wanted = packageOf(item, read)
    if (!wanted) return { refusal: dataRefusals.packageNotFound }
    const route = findOfferedRoute(request.routes, wanted)
    if (!wanted.isAvailable || !route) return { refusal: dataRefusals.packageUnavailable }
    if (read.stock.get(wanted.id) === 0) return { refusal: dataRefusals.packageOutOfStock }
    const isRegistered = request.registration !== 'not_registered'
    if (!isRegistered && request.whenNotRegistered === 'refuse') return { refusal: dataRefusals.numberNotRegistered }
    if (!isRegistered && request.whenNotRegistered === 'skip') return { skipped: dataRefusals.numberNotRegistered }
    const details: DataDetails = {
      network: wanted.network,
      size: sizeOf(wanted.volumeGb),
      ...(read.stock.has(wanted.id) ? { stockPackageId: wanted.id } : {}),
    }
    return {
      status: isRegistered ? 'pending' : 'queued',
      price: wanted.pricePesewas[view.account.pricingRole],
      recipient: request.recipient,
      route: route.name,
      details,
    }
  },
  fork: (read) => (read.stock.size === 0 ? read : { ...read, stock: new Map(read.stock) }),
  take(item, read) {
    const id = packageOf(item, read)?.id ?? ''
    const left = read.stock.get(id)
    if (left !== undefined) read.stock.set(id, left - 1)
  },
  async write(tx, _accepted, read) {
    if (read.stock.size === 0) return
    await sql`
      update packages set stock = counted.stock
      from ${rowsOf([...read.stock], { id: ['uuid', ([id]) => id], stock: ['bigint', ([, stock]) => stock] }).as('counted')}
      where packages.id = counted.id and packages.stock is not null`.execute(tx)
    // A package that has just sold out must disappear from every process's list.
    if ([...read.stock.values()].includes(0)) await raiseCatalogueVersion(tx)
  },
}
