import { sql } from 'kysely'
import type { Role } from '../../../accounts/caller.ts'
import type { Db, Tx } from '../../../platform/database/database.ts'
import { packageName, readPackages, type StoredPackage } from '../stored-packages.ts'

export const priceField = { customer: 'priceCustomer', agent: 'priceAgent', dealer: 'priceDealer' } as const satisfies Record<
  Role,
  keyof StoredPackage
>

/** Place of a set in the order in which sets are carried out. */
export type SchedulePosition = { readonly effectiveAt: Date; readonly setId: string }

/** Serialises changes of the schedule. A transaction that also locks packages locks them afterwards. Readers do not wait. */
export async function lockSchedule(tx: Tx): Promise<void> {
  await sql`lock table scheduled_price_sets in share row exclusive mode`.execute(tx)
}

/**
 * Reads the price list as it will be just before a set comes into force: the present one, changed by the waiting sets before
 * it.
 */
export async function readPackagesBefore(db: Db, position: SchedulePosition): Promise<Map<string, StoredPackage>> {
  const stored = await readPackages(db)
  const { rows } = await sql<{ package_id: string; role: Role; after: number }>`
    select package_id, role, after
    from scheduled_prices join scheduled_price_sets on scheduled_price_sets.id = set_id
    where state = 'waiting' and (effective_at, set_id) < (${position.effectiveAt}, ${position.setId}::uuid)
      and set_id <> ${position.setId}
    order by effective_at, set_id`.execute(db)
  const byId = new Map([...stored.values()].map((each) => [each.id, each]))
  for (const { package_id: id, role, after } of rows) {
    const known = byId.get(id)
    if (known) byId.set(id, { ...known, [priceField[role]]: after })
  }
  return new Map([...byId.values()].map((each) => [packageName(each), each]))
}

/** Makes the next waiting set of the same price expect this set's price. Call it after adding a set. */
export async function linkNext(tx: Tx, setId: string): Promise<void> {
  await relink(tx, setId, sql`mine.after`)
}

/** Makes the next waiting set expect the price that this one expected. Call it before removing a waiting set. */
export async function unlinkNext(tx: Tx, setId: string): Promise<void> {
  await relink(tx, setId, sql`mine.before`)
}

async function relink(tx: Tx, setId: string, expected: ReturnType<typeof sql>): Promise<void> {
  await sql`
    update scheduled_prices next set before = ${expected}
    from scheduled_prices mine join scheduled_price_sets my_set on my_set.id = mine.set_id
    where mine.set_id = ${setId} and next.package_id = mine.package_id and next.role = mine.role
      and next.set_id = (
        select later.set_id
        from scheduled_prices later join scheduled_price_sets later_set on later_set.id = later.set_id
        where later.package_id = mine.package_id and later.role = mine.role and later_set.state = 'waiting'
          and (later_set.effective_at, later_set.id) > (my_set.effective_at, my_set.id)
        order by later_set.effective_at, later_set.id
        limit 1)`.execute(tx)
}
