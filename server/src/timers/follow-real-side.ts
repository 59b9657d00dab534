import { sql } from 'kysely'
import { setAccountStatus } from '../accounts/set-account-status.ts'
import { addInventedVouchers } from '../demo/seed-vouchers.ts'
import type { Pesewas } from '../money/pesewas.ts'
import type { Db } from '../platform/database/database.ts'
import { raiseEpoch } from '../platform/database/epoch.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import { rowsOf } from '../platform/database/rows-of.ts'
import type { SecretsKeys } from '../platform/secrets/secrets-keys.ts'
import { afaFees } from '../products/afa/afa.settings.ts'
import { airtimeBounds } from '../products/airtime/airtime.settings.ts'
import { type WantedPackage, writePackages } from '../products/data/catalogue/write-packages.ts'
import { packageName, readPackages, type StoredPackage } from '../products/data/stored-packages.ts'
import { utilitiesMaxAmount, utilitiesMinAmount } from '../products/utilities/utilities.settings.ts'

const actor = 'test side'

/** Suspends exactly those accounts of the test side whose real accounts are suspended. Their test keys then get 403, too. */
export async function copySuspensions(db: Db, testDb: Db): Promise<void> {
  const accounts = await testDb.selectFrom('accounts').select(['id', 'status']).execute()
  const { rows: suspended } = await sql<{ id: string }>`
    select id from accounts where status = 'suspended' and id = any(${accounts.map(({ id }) => id)}::uuid[])`.execute(db)
  const suspendedIds = new Set(suspended.map(({ id }) => id))
  for (const { id: accountId, status: before } of accounts) {
    const status = suspendedIds.has(accountId) ? 'suspended' : 'active'
    if (status !== before) await inTransaction(testDb, (tx) => setAccountStatus(tx, { accountId, status, actor }))
  }
}

/** A package of the real side as the test side sells it: from the simulator, which has every size. */
function simulatedPackage(real: StoredPackage, known: StoredPackage | undefined): WantedPackage {
  const { network, volumeGb, isAvailable } = real
  const [priceCustomer, priceAgent, priceDealer] = [real.priceCustomer, real.priceAgent, real.priceDealer] as Pesewas[]
  const costPesewas = Math.min(real.priceCustomer, real.priceAgent, real.priceDealer) as Pesewas
  const offers = known && known.offers.size > 0 ? known.offers : new Map([['datamart', { code: String(volumeGb), costPesewas }]])
  return { network, volumeGb, isAvailable, stock: null, offers, priceCustomer, priceAgent, priceDealer } as WantedPackage
}

const priced = ({ priceCustomer, priceAgent, priceDealer, isAvailable }: StoredPackage | WantedPackage) =>
  [priceCustomer, priceAgent, priceDealer, isAvailable].join()

/** Makes the test side sell the packages of the real side, at its prices. While the real side has none, the examples stay. */
async function followPackages(db: Db, testDb: Db): Promise<void> {
  const real = await readPackages(db)
  if (real.size === 0) return
  const known = await readPackages(testDb)
  const gone = [...known.values()].filter((stored) => !real.has(packageName(stored)))
  const wanted = [...real.values(), ...gone.map((stored) => ({ ...stored, isAvailable: false }))]
  const changed = wanted
    .map((stored) => simulatedPackage(stored, known.get(packageName(stored))))
    .filter((next) => {
      const before = known.get(packageName(next))
      return !before || priced(before) !== priced(next)
    })
  if (changed.length === 0) return
  await inTransaction(testDb, (tx) => writePackages(tx, changed, { isBelowCostAllowed: true }))
}

/** A voucher type with fewer vouchers is filled up, so that everybody's tests find some. */
const vouchersLeast = 20

/**
 * Makes the test side sell the voucher types of the real side, with the same ids and prices. Adds invented vouchers to
 * each type that has few.
 */
async function followVouchers(db: Db, testDb: Db, secretsKeys: SecretsKeys): Promise<void> {
  const columns = ['id', 'name', 'price_customer', 'price_agent', 'price_dealer', 'is_active'] as const
  const real = await db.selectFrom('voucher_types').select(columns).orderBy('id').execute()
  await inTransaction(testDb, async (tx) => {
    if (real.length > 0) {
      // Closes types that the real side does not have, such as the examples. Renames them, because a real type may have the
      // same name.
      await sql`update voucher_types set is_active = false, name = name || ' (example)'
        where id <> all(${real.map(({ id }) => id)}::uuid[]) and name not like '% (example)'`.execute(tx)
    }
    // First gives each type whose name changes its id as its name, because its new name may be the old name of another
    // type.
    const names = rowsOf(real, { id: ['uuid', ({ id }) => id], name: ['text', ({ name }) => name] })
    await sql`update voucher_types set name = voucher_types.id::text from ${names.as('wanted')}
      where voucher_types.id = wanted.id and voucher_types.name <> wanted.name`.execute(tx)
    for (const { id, ...type } of real) {
      await tx
        .insertInto('voucher_types')
        .values({ id, ...type })
        .onConflict((conflict) => conflict.column('id').doUpdateSet(type))
        .execute()
    }
    const { rows } = await sql<{ id: string }>`
      select id from voucher_types where is_active and available_count < ${vouchersLeast} order by id for no key update`.execute(
      tx,
    )
    for (const { id } of rows) await addInventedVouchers(tx, secretsKeys, { id, prefix: 'TEST', by: actor })
  })
}

/** Fees and limits that are copied. Which products are switched on is not copied: on the test side everything can be tried. */
const followed = [
  ...Object.values(afaFees),
  ...Object.values(airtimeBounds).flatMap(({ minimum, maximum }) => [minimum, maximum]),
  utilitiesMinAmount,
  utilitiesMaxAmount,
].map(({ name }) => name)

async function followSettings(db: Db, testDb: Db): Promise<void> {
  const read = async (side: Db) => {
    const rows = await side.selectFrom('settings').select(['name', 'value']).where('name', 'in', followed).execute()
    return new Map(rows.map(({ name, value }) => [name, JSON.stringify(value)]))
  }
  const [real, known] = [await read(db), await read(testDb)]
  const changed = followed.filter((name) => real.get(name) !== known.get(name))
  if (changed.length === 0) return
  await inTransaction(testDb, async (tx) => {
    await tx.deleteFrom('settings').where('name', 'in', changed).execute()
    for (const name of changed) {
      const value = real.get(name)
      if (value !== undefined) await tx.insertInto('settings').values({ name, value, updated_by: actor }).execute()
    }
    await raiseEpoch(tx)
  })
}

/** Even without a change, the follower copies again after this time, because the test side may have been set up again. */
const anywayMilliseconds = 30_000

/**
 * Makes the function that copies suspensions, packages, voucher types and fees from the real side to the test side. It
 * changes nothing on the real side. While nothing changes there, most calls read a single row.
 */
export function openRealSideFollower(sides: { readonly db: Db; readonly testDb: Db; readonly secretsKeys: SecretsKeys }) {
  const { db, testDb, secretsKeys } = sides
  let seen = ''
  let lookedAt = Number.NEGATIVE_INFINITY
  return async (): Promise<void> => {
    const { rows } = await sql<{ state: string }>`select epoch || ' ' || catalogue_version as state from cache_epoch`.execute(db)
    const state = rows[0]?.state ?? ''
    if (state === seen && performance.now() - lookedAt < anywayMilliseconds) return
    await copySuspensions(db, testDb)
    await followSettings(db, testDb)
    await followPackages(db, testDb)
    await followVouchers(db, testDb, secretsKeys)
    seen = state
    lookedAt = performance.now()
  }
}
