import { sql } from 'kysely'
import { keyDigest, keyPrefixOf, makeKey } from '../../server/src/accounts/make-key.ts'
import { demoPackages } from '../../server/src/demo/demo-catalogue.ts'
import type { Db } from '../../server/src/platform/database/database.ts'
import { inTransaction } from '../../server/src/platform/database/in-transaction.ts'
import { newId } from '../../server/src/platform/database/new-id.ts'
import { writePackages } from '../../server/src/products/data/catalogue/write-packages.ts'
import { seedSimulatedSuppliers } from '../../server/src/suppliers/registry/seed-simulated-suppliers.ts'

/** Enough for any measurement: GHS 100 million each. */
const balancePesewas = 10_000_000_000

/** An MTN number that is known as registered, so that a purchase asks no registry. */
export const knownNumber = '0241234567'

export type ShopAccount = { readonly id: string; readonly key: string }

/** Gives each of these accounts a key of its own; test keys for the database of a test side. */
export async function createShopKeys(db: Db, accountIds: readonly string[], isTest = false): Promise<ShopAccount[]> {
  const keys = accountIds.map(() => makeKey('makola', 'standard', isTest))
  await sql`
    insert into api_keys (id, account_id, type, digest, prefix, hint, status, approved_at)
    select id, account_id, 'standard', decode(digest, 'hex'), ${keyPrefixOf('makola', 'standard', isTest)}, 'xxxx', 'active', now()
    from unnest(${keys.map(() => newId())}::uuid[], ${accountIds}::uuid[], ${keys.map((key) => keyDigest(key))}::text[])
      as given (id, account_id, digest)`.execute(db)
  return accountIds.map((id, index) => ({ id, key: keys[index] ?? '' }))
}

/** Fills a migrated, empty database with the demo's catalogue and this many resellers. */
export async function openShop(db: Db, accountCount: number): Promise<ShopAccount[]> {
  await inTransaction(db, async (tx) => {
    await seedSimulatedSuppliers(tx)
    await writePackages(tx, demoPackages, { isBelowCostAllowed: false })
  })
  await sql`
    insert into registrations (number, server, state)
    select ${knownNumber}, server, 'registered' from unnest(array[1, 2]) as server`.execute(db)
  return openAccounts(db, accountCount)
}

/** Opens this many accounts with money in their wallets, each with a key. */
export async function openAccounts(db: Db, accountCount: number, isTest = false): Promise<ShopAccount[]> {
  const accountIds = Array.from({ length: accountCount }, () => newId())
  const creditIds = accountIds.map(() => newId())
  await sql`
    with made as (
      insert into accounts (id, email, name, role)
      select id, id || '@bench.test', 'Bench', 'agent' from unnest(${accountIds}::uuid[]) as id
    ), purses as (
      insert into wallets (account_id, purse, balance, last_entry_no)
      select id, purse, case when purse = 'main' then ${balancePesewas}::bigint else 0 end, case when purse = 'main' then 1 else 0 end
      from unnest(${accountIds}::uuid[]) as id, unnest(array['main', 'commission', 'sms_credits']) as purse
    ), credits as (
      insert into wallet_credits (id, account_id, purse, amount, actor)
      select credit_id, id, 'main', ${balancePesewas}::bigint, 'bench'
      from unnest(${creditIds}::uuid[], ${accountIds}::uuid[]) as given (credit_id, id)
    )
    insert into transfers (cause_id, kind, account_id, from_purse, to_purse, amount, to_entry_no, to_balance_after)
    select credit_id, 'credit', id, 'top_ups', 'main', ${balancePesewas}::bigint, 1, ${balancePesewas}::bigint
    from unnest(${creditIds}::uuid[], ${accountIds}::uuid[]) as given (credit_id, id)`.execute(db)
  return createShopKeys(db, accountIds, isTest)
}
