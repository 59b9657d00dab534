import { sql } from 'kysely'
import { connectDatabase, type Db } from '../../../server/src/platform/database/database.ts'
import { newId } from '../../../server/src/platform/database/new-id.ts'
import { rowsOf } from '../../../server/src/platform/database/rows-of.ts'
import type { Bench } from '../bench-servers.ts'
import type { LoadLength, LoadResult } from '../load/load.ts'

/** Rows of this many orders are written in one statement, which commits by itself. */
const batchOrders = 256

const pricePesewas = 370
const details = JSON.stringify({ network: 'MTN', size: '1GB' })

type Wallet = { readonly accountId: string; balance: number; lastEntryNo: number }

async function readWallets(db: Db, { baselineAccounts }: Bench): Promise<Wallet[]> {
  const { rows } = await sql<Wallet>`
    select account_id as "accountId", balance, last_entry_no as "lastEntryNo" from wallets
    where purse = 'main' and account_id = any(${baselineAccounts.map(({ id }) => id)}::uuid[])`.execute(db)
  return rows
}

/** Writes one batch, in which every wallet pays at most once. */
async function writeBatch(db: Db, wallets: readonly Wallet[], batchNo: number): Promise<void> {
  const paying = Array.from({ length: batchOrders }, (_, n) => wallets[(batchNo * batchOrders + n) % wallets.length] as Wallet)
  for (const wallet of paying) {
    wallet.balance -= pricePesewas
    wallet.lastEntryNo += 1
  }
  const rows = paying.map((wallet) => ({ ...wallet, id: newId() }))
  await sql`
    with new_orders as materialized (
      select * from ${rowsOf(rows, {
        order_id: ['uuid', ({ id }) => id],
        account_id: ['uuid', ({ accountId }) => accountId],
        entry_no: ['bigint', ({ lastEntryNo }) => lastEntryNo],
        balance_after: ['bigint', ({ balance }) => balance],
      }).as('new_order')}
    ), referred as (
      insert into order_references (reference, account_id, order_id, kind, fingerprint)
      select 'batch-' || order_id, account_id, order_id, 'data', decode(md5(order_id::text) || md5(order_id::text), 'hex') from new_orders
    ), placed as (
      insert into orders (id, account_id, kind, reference, status, price, recipient, source, details, role)
      select order_id, account_id, 'data', 'batch-' || order_id, 'pending', ${pricePesewas}, '0241234567', 'api', ${details}::jsonb, 'agent'
      from new_orders
    ), scheduled as (
      insert into open_orders (order_id, route, next_step_at) select order_id, 'datamart/data/MTN', 'infinity' from new_orders
    ), recorded as (
      insert into transfers (cause_id, kind, account_id, from_purse, to_purse, amount, from_entry_no, from_balance_after)
      select order_id, 'purchase', account_id, 'main', 'sales', ${pricePesewas}, entry_no, balance_after from new_orders
    )
    update wallets set balance = balance_after, last_entry_no = entry_no
    from new_orders where wallets.account_id = new_orders.account_id and wallets.purse = 'main'`.execute(db)
}

/**
 * Writes only the rows of purchases, in batches over one connection. It shows the least time that PostgreSQL needs for so
 * many purchases.
 */
export async function writeRowsInBatches(
  bench: Bench,
  { seconds, requests = Number.POSITIVE_INFINITY, onMeasured }: LoadLength,
): Promise<LoadResult> {
  const db = connectDatabase({ url: bench.databaseUrl, role: 'makola_app', poolSize: 1, applicationName: 'makola bench batches' })
  const wallets = await readWallets(db, bench)
  const times: number[] = []
  onMeasured?.()
  const startedAt = performance.now()
  let written = 0
  for (let batchNo = 0; performance.now() < startedAt + seconds * 1_000 && written < requests; batchNo += 1) {
    const sentAt = performance.now()
    await writeBatch(db, wallets, batchNo)
    times.push(performance.now() - sentAt)
    written += batchOrders
  }
  const perSecond = (written * 1_000) / (performance.now() - startedAt)
  await db.destroy()
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN
  return { answered: written, perSecond, p50: at(0.5), p99: at(0.99), statuses: {} }
}
