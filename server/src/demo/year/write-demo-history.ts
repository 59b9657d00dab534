import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { walletId } from '../../money/wallets.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { raiseEpoch } from '../../platform/database/epoch.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { rowsOf } from '../../platform/database/rows-of.ts'
import { isLiveDatabase } from '../../platform/database/stamp-mode.ts'
import type { SecretsKeys } from '../../platform/secrets/secrets-keys.ts'
import { forgetCounts } from '../../reports/roll-up.ts'
import { demoEmail } from '../demo-sign-ins.ts'
import { type Chance, createChance } from './chance.ts'
import { openDemoShop } from './demo-shop.ts'
import { createDemoWorld, type DemoAccount, type DemoWares, type DemoWorld } from './demo-world.ts'
import { describeOwnReseller, inventAccounts, inventedDomain } from './invent-accounts.ts'
import { planOfficeLife } from './office-life.ts'
import { leaveProposals } from './pay-in.ts'
import { placeSale, placeWantedSale, type WantedSale } from './place-sale.ts'
import { planMoments } from './plan-moments.ts'
import { writeDemoRows } from './write-demo-rows.ts'

export type DemoHistoryRequest = {
  readonly orderCount: number
  readonly months: number
  /** The same seed and the same end give the same history. */
  readonly seed: number
  /** The end of the history; nothing happens later. */
  readonly until: Date
}

/** No history was written, and nothing was changed. */
export class DemoHistoryRefusedError extends Error {
  override readonly name = 'DemoHistoryRefusedError'
}

/** Rows are gathered for this many orders before they are written. */
const ordersPerWrite = 2_000

/** The states of the last orders, from the newest one back: every state in which an order can be open. */
const lastSales: readonly WantedSale[] = [
  { kind: 'data', ending: 'waiting' },
  { kind: 'sms', ending: 'scheduled' },
  { kind: 'data', ending: 'queued_failed' },
  { kind: 'afa', ending: 'unclaimed' },
  { kind: 'data', ending: 'settled_completed' },
  { kind: 'sms', ending: 'underway' },
  { kind: 'airtime', ending: 'settled_failed' },
  { kind: 'data', ending: 'late_refund' },
  { kind: 'afa', ending: 'claimed' },
  { kind: 'utilities', ending: 'settled_completed' },
  { kind: 'afa', ending: 'unclaimed' },
  { kind: 'data', ending: 'settled_failed' },
]

/**
 * Of this many last orders, at most one has such a state. In a short history they are closer together, so that all lie in its
 * last days.
 */
const lastSalesApart = 8
const ordersPerApart = 250

/** @throws DemoHistoryRefusedError where there may be real orders */
async function refuseOtherDatabases(tx: Tx): Promise<void> {
  if (await isLiveDatabase(tx)) throw new DemoHistoryRefusedError('This database is live: no history is ever invented in it.')
  const demo = await tx.selectFrom('accounts').select('id').where('email', '=', demoEmail).executeTakeFirst()
  if (!demo) throw new DemoHistoryRefusedError('This database holds no demo. Use an empty one: set DATA_DIR to a new folder.')
  const { rows } = await sql<{ invented: boolean; foreign: boolean }>`
    select exists (select from accounts where email like ${`%@${inventedDomain}`}) as invented,
      exists (select from orders join accounts on accounts.id = orders.account_id where accounts.email <> ${demoEmail}) as foreign`.execute(
    tx,
  )
  if (rows[0]?.invented) throw new DemoHistoryRefusedError('This database has an invented history already.')
  if (rows[0]?.foreign)
    throw new DemoHistoryRefusedError('This database has orders that are not the demo’s: no history is invented beside them.')
}

async function readWares(tx: Tx): Promise<DemoWares> {
  type Priced = { id: string; price_customer: number; price_agent: number; price_dealer: number }
  const priceOf = (row: Priced) => ({ customer: row.price_customer, agent: row.price_agent, dealer: row.price_dealer })
  const { rows: packages } = await sql<Priced & { network: string; volume_gb: number; costs: Record<string, number> }>`
    select packages.*, volume_gb::float8 as volume_gb, (
      select jsonb_object_agg(supplier, cost) from package_offers where package_id = packages.id) as costs
    from packages order by network, packages.volume_gb`.execute(tx)
  const types = await tx.selectFrom('voucher_types').selectAll().orderBy('name').execute()
  return {
    packages: packages.map((row) => ({
      id: row.id,
      network: row.network,
      volumeGb: row.volume_gb,
      price: priceOf(row),
      costs: new Map(Object.entries(row.costs)),
    })),
    voucherTypes: types.map((row) => ({ id: row.id, name: row.name, price: priceOf(row) })),
  }
}

/** Inserts the accounts, with empty wallets, before the rows that refer to them. */
async function writeAccounts(tx: Tx, accounts: readonly DemoAccount[]): Promise<void> {
  await sql`
    insert into accounts (id, email, name, role, status, is_business, policy_accepted_at, created_at)
    select id, email, name, 'customer', 'active', true, created_at, created_at
    from ${rowsOf(accounts, {
      id: ['uuid', ({ id }) => id],
      email: ['text', ({ email }) => email],
      name: ['text', ({ name }) => name],
      created_at: ['timestamptz', ({ joinedAt }) => new Date(joinedAt)],
    }).as('account')}`.execute(tx)
  await sql`
    insert into wallets (account_id, purse)
    select account_id, purse
    from ${rowsOf(accounts, { account_id: ['uuid', ({ id }) => id] }).as('account')}
    cross join unnest(array['main', 'commission', 'sms_credits']) as purse`.execute(tx)
  // Nobody has the keys of invented accounts, because only their hashes are made up.
  await sql`
    insert into api_keys (id, account_id, type, digest, hint, status, created_at, approved_at, prefix)
    select id, account_id, 'standard', decode(digest, 'hex'), right(digest, 4), 'active', created_at, created_at, 'makola_live_'
    from ${rowsOf(accounts, {
      id: ['uuid', () => randomUUID()],
      account_id: ['uuid', ({ id }) => id],
      digest: ['text', () => `${randomUUID()}${randomUUID()}`.replaceAll('-', '')],
      created_at: ['timestamptz', ({ joinedAt }) => new Date(joinedAt)],
    }).as('key')}`.execute(tx)
}

/** Writes the final state of the accounts and their wallets. */
async function writeEnds(tx: Tx, { accounts, books }: DemoWorld): Promise<void> {
  await sql`
    update accounts set role = ended.role, role_expires_at = ended.role_expires_at, status = ended.status
    from ${rowsOf(accounts, {
      id: ['uuid', ({ id }) => id],
      role: ['text', ({ role }) => role],
      role_expires_at: ['timestamptz', ({ roleExpiresAt }) => (roleExpiresAt === null ? null : new Date(roleExpiresAt))],
      status: ['text', ({ isSuspended }) => (isSuspended ? 'suspended' : 'active')],
    }).as('ended')}
    where accounts.id = ended.id`.execute(tx)
  const wallets = accounts.flatMap(({ id }) =>
    (['main', 'commission', 'sms_credits'] as const).map((purse) => ({
      id,
      purse,
      book: books.get(walletId({ accountId: id, purse })),
    })),
  )
  await sql`
    update wallets set balance = ended.balance, last_entry_no = ended.last_entry_no
    from ${rowsOf(wallets, {
      account_id: ['uuid', ({ id }) => id],
      purse: ['text', ({ purse }) => purse],
      balance: ['bigint', ({ book }) => book?.balance ?? 0],
      last_entry_no: ['bigint', ({ book }) => book?.lastEntryNo ?? 0],
    }).as('ended')}
    where wallets.account_id = ended.account_id and wallets.purse = ended.purse`.execute(tx)
}

/** Picks a buyer by weight, among those who have joined by then. */
function pickBuyer({ accounts, chance }: DemoWorld, at: number): DemoAccount {
  const there = accounts.filter(({ joinedAt, isSuspended }) => joinedAt < at && !isSuspended)
  let left = chance.next() * there.reduce((sum, { weight }) => sum + weight, 0)
  for (const account of there) {
    left -= account.weight
    if (left < 0) return account
  }
  return chance.pick(there)
}

function wantedOfLast(fromTheEnd: number, orderCount: number): WantedSale | undefined {
  const apart = Math.min(lastSalesApart, Math.max(1, Math.floor(orderCount / ordersPerApart)))
  return fromTheEnd % apart === 0 ? lastSales[fromTheEnd / apart] : undefined
}

async function inventOrders(tx: Tx, world: DemoWorld, orderCount: number, onOrders: (count: number) => void): Promise<void> {
  const { chance, from, until, agenda } = world
  const shop = openDemoShop(world)
  planOfficeLife(world)
  const moments = planMoments(chance, orderCount, from, until)
  const own = world.accounts.find(({ isInvented }) => !isInvented)
  for (const [index, at] of moments.entries()) {
    agenda.runUntil(at)
    const wanted = wantedOfLast(orderCount - 1 - index, orderCount)
    // The open orders belong to the demo's own reseller, so that its screens have something to show.
    const purchase = { account: (wanted && own) ?? pickBuyer(world, at), at }
    if (wanted) placeWantedSale(shop, purchase, wanted)
    else placeSale(shop, purchase)
    if ((index + 1) % ordersPerWrite !== 0) continue
    await writeDemoRows(tx, world.secretsKeys, world.rows)
    onOrders(index + 1)
  }
  agenda.runUntil(until)
  const oldest = world.accounts.find(({ isInvented }) => isInvented)
  if (oldest) leaveProposals(world, oldest)
  await writeDemoRows(tx, world.secretsKeys, world.rows)
  onOrders(orderCount)
}

function inventAll(
  chance: Chance,
  request: DemoHistoryRequest & { readonly ownAccountId?: string },
  from: number,
): DemoAccount[] {
  const count = Math.min(130, Math.max(12, Math.ceil(request.orderCount / 120)))
  const invented = inventAccounts(chance, count, from, request.until.getTime())
  if (request.ownAccountId === undefined) return invented
  return [describeOwnReseller(chance, { id: request.ownAccountId, joinedAt: from - 3_600_000 }), ...invented]
}

/**
 * Invents a history in the caller's transaction. The caller has checked that the database is a demo without a history. The
 * account `ownAccountId` takes part as the demo's own reseller; its wallets must not have been used yet.
 */
export async function inventHistory(
  tx: Tx,
  secretsKeys: SecretsKeys,
  request: DemoHistoryRequest & { readonly ownAccountId?: string; readonly onOrders?: (count: number) => void },
): Promise<void> {
  const chance = createChance(request.seed)
  const until = request.until.getTime()
  const begin = new Date(until)
  const from = begin.setUTCMonth(begin.getUTCMonth() - request.months)
  const accounts = inventAll(chance, request, from)
  const world = createDemoWorld({ from, until, chance, accounts, wares: await readWares(tx), secretsKeys })
  await writeAccounts(
    tx,
    accounts.filter(({ isInvented }) => isInvented),
  )
  await inventOrders(tx, world, request.orderCount, request.onOrders ?? (() => undefined))
  await writeEnds(tx, world)
  // Reports count only new rows, but this history is old, so everything must be counted again, also by a worker that began to
  // count before this transaction ends.
  await forgetCounts(tx)
  await raiseEpoch(tx)
}

/**
 * Invents a history for the demo, in one transaction: `orderCount` orders of every product over the months before `until`, with
 * all endings of orders, their transfers, and the work of the operator's staff. Only a demo may write such rows directly.
 *
 * @throws DemoHistoryRefusedError on a live database, on one without the demo, on one with an invented history, and beside orders
 * that are not the demo's
 */
export function writeDemoHistory(
  deps: { readonly db: Db; readonly secretsKeys: SecretsKeys },
  request: DemoHistoryRequest,
  onOrders: (count: number) => void = () => undefined,
): Promise<void> {
  return inTransaction(deps.db, async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('makola demo', 0))`.execute(tx)
    await refuseOtherDatabases(tx)
    await inventHistory(tx, deps.secretsKeys, { ...request, onOrders })
  })
}
