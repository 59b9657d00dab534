import { randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { readCommissionPlan } from '../../money/commission-plan.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { raiseEpoch } from '../../platform/database/epoch.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { isLiveDatabase } from '../../platform/database/stamp-mode.ts'
import { createPartitions } from '../../platform/partitions/partitions.ts'
import type { SecretsKeys } from '../../platform/secrets/secrets-keys.ts'
import { readPackageCatalogue } from '../../products/data/package-catalogue.ts'
import { deleteCounts } from '../../reports/roll-up.ts'
import { demoEmail } from '../demo-files.ts'
import { type Chance, createChance } from './chance.ts'
import { type DemoHistory, openDemoHistory } from './demo-history.ts'
import { type DemoAccount, describeOwnReseller, inventAccounts, inventedDomain, roleAt } from './invent-accounts.ts'
import { addProposals } from './pay-in.ts'
import { planStaffWork } from './plan-staff-work.ts'
import {
  type DemoShop,
  type DemoWares,
  openDemoShop,
  type Purchase,
  sell,
  sellApplication,
  sellAtFaceValue,
  sellBundle,
  sellCampaign,
} from './sell.ts'

export type DemoHistoryRequest = {
  readonly orderCount: number
  readonly months: number
  /** With the same counts and the same end, the same seed gives the same history, apart from the resellers' keys. */
  readonly seed: number
  /** Nothing in the history happens after this moment. */
  readonly until: Date
}

/** No history was written, and nothing was changed. */
export class DemoHistoryRefusedError extends Error {
  override readonly name = 'DemoHistoryRefusedError'
}

/** Rows are gathered for this many orders before they are written. */
const ordersPerWrite = 2_000

/** The sales that make the last orders, newest first. They leave orders in every state in which an order can be open. */
const lastSales: readonly ((shop: DemoShop, purchase: Purchase) => void)[] = [
  (...sale) => sellBundle(...sale, 'waiting'),
  (...sale) => sellCampaign(...sale, 'scheduled'),
  (...sale) => sellBundle(...sale, 'queued_failed'),
  (...sale) => sellApplication(...sale, 'unclaimed'),
  (...sale) => sellBundle(...sale, 'settled_completed'),
  (...sale) => sellCampaign(...sale, 'underway'),
  (...sale) => sellAtFaceValue(...sale, 'airtime', 'settled_failed'),
  (...sale) => sellBundle(...sale, 'late_refund'),
  (...sale) => sellApplication(...sale, 'claimed'),
  (...sale) => sellAtFaceValue(...sale, 'utilities', 'settled_completed'),
  (...sale) => sellApplication(...sale, 'unclaimed'),
  (...sale) => sellBundle(...sale, 'settled_failed'),
]

/**
 * One in this many of the newest orders is made by `lastSales`. In a history of fewer than `lastSalesApart` times
 * `ordersPerApart` orders the number is smaller, so that all of `lastSales` lie in the last days.
 */
const lastSalesApart = 8
const ordersPerApart = 250

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
  const costs = new Map<string, Map<string, number>>()
  for (const { package_id, supplier, cost } of await tx.selectFrom('package_offers').selectAll().execute())
    costs.set(package_id, (costs.get(package_id) ?? new Map()).set(supplier, cost))
  const types = await tx.selectFrom('voucher_types').selectAll().orderBy('name').execute()
  return {
    packages: (await readPackageCatalogue(tx)).packages,
    costs,
    voucherTypes: types.map(({ id, name, price_customer: customer, price_agent: agent, price_dealer: dealer }) => ({
      id,
      name,
      price: { customer, agent, dealer },
    })),
    commissionPlan: await readCommissionPlan(tx),
  }
}

/**
 * Inserts the invented accounts with their roles and states at `until`. Nobody can use their keys, because the stored digests
 * are random and belong to no key.
 */
async function writeAccounts(tx: Tx, accounts: readonly DemoAccount[], until: number): Promise<void> {
  for (const account of accounts) {
    const { id, email, name, joinedAt, suspendedAt } = account
    const { role, endsAt } = roleAt(account, until)
    const created_at = new Date(joinedAt)
    await tx
      .insertInto('accounts')
      .values({
        id,
        email,
        name,
        role,
        role_expires_at: endsAt === Number.POSITIVE_INFINITY ? null : new Date(endsAt),
        status: suspendedAt <= until ? 'suspended' : 'active',
        is_business: true,
        policy_accepted_at: created_at,
        created_at,
      })
      .execute()
    const digest = randomBytes(32)
    const key = { id: randomUUID(), account_id: id, type: 'standard', digest, hint: digest.toString('hex').slice(-4) } as const
    await tx
      .insertInto('api_keys')
      .values({ ...key, status: 'active', created_at, approved_at: created_at, prefix: 'makola_live_' })
      .execute()
  }
}

/** How busy each hour of the day is in Accra: quiet nights, a first peak at noon, the highest in the evening. */
const hourWeights = [4, 2, 1, 1, 2, 5, 12, 22, 34, 42, 47, 50, 52, 48, 45, 45, 48, 54, 62, 68, 66, 50, 28, 12]

/** Sunday first. Data sells best towards the weekend. */
const weekdayWeights = [80, 95, 95, 100, 105, 125, 115]

/** The end of the period is this many times as busy as its beginning. */
const growth = 2.5

/** Plans the moments of `count` orders, in order, spread by hour, weekday and growth as in a real shop. */
function planMoments(chance: Chance, count: number, from: number, until: number): number[] {
  const most = Math.max(...hourWeights) * Math.max(...weekdayWeights) * growth
  const moments: number[] = []
  // Draws a random time, and keeps it more often the busier that time is.
  while (moments.length < count) {
    const progress = chance.next()
    const at = new Date(Math.floor(from + (until - from) * progress))
    const weight = (hourWeights[at.getUTCHours()] ?? 0) * (weekdayWeights[at.getUTCDay()] ?? 0) * (1 + (growth - 1) * progress)
    if (chance.happens(weight / most)) moments.push(at.getTime())
  }
  return moments.toSorted((a, b) => a - b)
}

/** Picks a buyer by weight, among the accounts that have joined and are not suspended at the moment `at`. */
function pickBuyer({ accounts, chance }: DemoHistory, at: number): DemoAccount {
  const there = accounts.filter(({ joinedAt, suspendedAt }) => joinedAt < at && at < suspendedAt)
  return chance.pickWeighted(there.map((account) => [account, account.weight] as const))
}

function wantedOfLast(fromTheEnd: number, orderCount: number) {
  const apart = Math.min(lastSalesApart, Math.max(1, Math.floor(orderCount / ordersPerApart)))
  return fromTheEnd % apart === 0 ? lastSales[fromTheEnd / apart] : undefined
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
  await createPartitions(tx, new Date(from - 24 * 3_600_000))
  const accountCount = Math.min(130, Math.max(12, Math.ceil(request.orderCount / 120)))
  const invented = inventAccounts(chance, accountCount, from, until)
  const { ownAccountId: id, orderCount, onOrders = () => undefined } = request
  const own = id === undefined ? undefined : describeOwnReseller(chance, { id, joinedAt: from - 3_600_000 })
  await writeAccounts(tx, invented, until)
  const history = openDemoHistory(tx, { from, until, chance, secretsKeys, accounts: own ? [own, ...invented] : invented })
  const shop = openDemoShop(history, await readWares(tx))
  planStaffWork(history)
  for (const [index, at] of planMoments(chance, orderCount, from, until).entries()) {
    const wanted = wantedOfLast(orderCount - 1 - index, orderCount)
    // `lastSales` belong to the demo's own reseller, if it takes part, so that its screens have something to show.
    if (wanted) wanted(shop, { account: own ?? pickBuyer(history, at), at })
    else sell(shop, { account: pickBuyer(history, at), at })
    if ((index + 1) % ordersPerWrite !== 0) continue
    await history.flush()
    onOrders(index + 1)
  }
  if (invented[0]) addProposals(history, invented[0])
  await history.finish()
  onOrders(orderCount)
  // Reports add up only new rows, and this history is old. So everything must be added up again, even by a worker that began to
  // do so before this transaction ends.
  await deleteCounts(tx)
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
