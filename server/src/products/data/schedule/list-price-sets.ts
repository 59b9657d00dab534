import { type Selectable, sql } from 'kysely'
import type { Role } from '../../../accounts/caller.ts'
import type { Db, Tables } from '../../../platform/database/database.ts'
import { fingerprintPrices } from '../history/fingerprint-changes.ts'

/** A set waits for its minute, is held for a person, was carried out, or was cancelled. */
export const priceSetStates = ['waiting', 'held', 'done', 'cancelled'] as const
export type PriceSetState = (typeof priceSetStates)[number]

export type ListedPriceSet = Selectable<Tables['scheduled_price_sets']> & {
  readonly packages: number
  readonly prices: number
  /**
   * How many prices of the set would replace another price than was expected. A set with such prices does not come into force
   * at its minute; it waits for a person. 0 once the set has ended.
   */
  readonly clashes: number
}

const setsPerPage = 50

/** Prices of open sets, each with the price that it will replace: that of the waiting set before it, else the present one. */
const openPrices = sql`
  select set_id, package_id, role, scheduled_prices.before, scheduled_prices.after, coalesce(
      case when state = 'waiting' then lag(scheduled_prices.after) over (
        partition by package_id, role, state order by effective_at, set_id) end,
      case role when 'customer' then price_customer when 'agent' then price_agent else price_dealer end) as replaces
  from scheduled_prices
  join scheduled_price_sets on scheduled_price_sets.id = set_id
  join packages on packages.id = package_id
  where state in ('waiting', 'held')`

type ListCursor = { readonly effectiveAt: Date; readonly id: string }

/** Lists sets of scheduled prices, the latest minute first. */
export async function listPriceSets(
  db: Db,
  asked: { readonly states: readonly PriceSetState[]; readonly after?: string | undefined },
): Promise<{ sets: ListedPriceSet[]; next: string | null }> {
  const after = asked.after === undefined ? undefined : await findCursor(db, asked.after)
  const { rows } = await sql<ListedPriceSet>`
    with sets as materialized (
      select * from scheduled_price_sets
      where state = any(${asked.states}::text[])
        and (${after === undefined} or (effective_at, id) < (${after?.effectiveAt ?? null}::timestamptz, ${after?.id ?? null}::uuid))
      order by effective_at desc, id desc
      limit ${setsPerPage + 1}),
    replaces as materialized (${openPrices})
    select sets.*,
      (select count(distinct package_id) from scheduled_prices where set_id = sets.id) as packages,
      (select count(*) from scheduled_prices where set_id = sets.id) as prices,
      (select count(*) from replaces where set_id = sets.id and replaces not in (before, after)) as clashes
    from sets order by effective_at desc, id desc`.execute(db)
  const sets = rows.slice(0, setsPerPage)
  return { sets, next: rows.length > setsPerPage ? (sets.at(-1)?.id ?? null) : null }
}

async function findCursor(db: Db, id: string): Promise<ListCursor | undefined> {
  const row = await db.selectFrom('scheduled_price_sets').select('effective_at').where('id', '=', id).executeTakeFirst()
  return row && { effectiveAt: row.effective_at, id }
}

export type ListedPrice = {
  readonly package_id: string
  readonly network: string
  readonly volume_gb: number
  readonly role: Role
  readonly before: number
  readonly after: number
  /** The price that this one will replace, as far as known. Null once the set has ended. */
  readonly replaces: number | null
}

/** A set with its prices. The desk carries out a held set only with `seen`, so that only shown prices are replaced. */
export type ShownPriceSet = {
  readonly set: ListedPriceSet
  readonly prices: readonly ListedPrice[]
  readonly seen: string
}

export async function readPriceSet(db: Db, setId: string): Promise<ShownPriceSet | undefined> {
  const { rows: prices } = await sql<ListedPrice>`
    select scheduled_prices.package_id, packages.network, volume_gb::float8 as volume_gb, scheduled_prices.role,
      scheduled_prices.before, scheduled_prices.after, replaces
    from scheduled_prices
    join packages on packages.id = scheduled_prices.package_id
    left join networks on networks.product = 'data' and networks.name = packages.network
    left join (${openPrices}) as open on open.set_id = scheduled_prices.set_id
      and open.package_id = scheduled_prices.package_id and open.role = scheduled_prices.role
    where scheduled_prices.set_id = ${setId}
    order by networks.position, packages.volume_gb, array_position(array['customer', 'agent', 'dealer'], scheduled_prices.role)`.execute(
    db,
  )
  const row = await db.selectFrom('scheduled_price_sets').selectAll().where('id', '=', setId).executeTakeFirst()
  if (!row) return undefined
  const clashes = prices.filter(
    ({ replaces, before, after }) => replaces !== null && replaces !== before && replaces !== after,
  ).length
  const packages = new Set(prices.map(({ package_id: id }) => id)).size
  const seen = fingerprintPrices(
    prices.map(({ package_id: packageId, role, replaces, after }) => ({ packageId, role, replaces, after })),
  )
  return { set: { ...row, packages, prices: prices.length, clashes }, prices, seen }
}

/** Reads the minute of each package's first open set, by the package's id. The minute of a held set has passed. */
export async function readNextSchedules(db: Db): Promise<ReadonlyMap<string, { readonly setId: string; readonly at: Date }>> {
  const { rows } = await sql<{ package_id: string; set_id: string; effective_at: Date }>`
    select distinct on (package_id) package_id, set_id, effective_at
    from scheduled_prices join scheduled_price_sets on scheduled_price_sets.id = set_id
    where state in ('waiting', 'held') order by package_id, effective_at, set_id`.execute(db)
  return new Map(rows.map((row) => [row.package_id, { setId: row.set_id, at: row.effective_at }]))
}
