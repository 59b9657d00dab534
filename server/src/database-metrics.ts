import { sql } from 'kysely'
import type { Logger } from 'pino'
import { measureWebhooks } from './notices/webhooks/measure-webhooks.ts'
import { measureOpenOrders } from './orders/queries/measure-open-orders.ts'
import { readChainHeads } from './platform/chains/read-chain-heads.ts'
import type { Db } from './platform/database/database.ts'
import type { Metrics } from './platform/metrics/open-metrics.ts'
import { routeName } from './suppliers/route-ports.ts'

export function measureWallets(metrics: Metrics, db: Db): () => Promise<void> {
  const balance = metrics.gauge('makola_wallets_balance_ghs', 'Sum of all wallets of a purse: what is owed to resellers.', [
    'purse',
  ])
  const credits = metrics.gauge('makola_wallets_sms_credits', 'Sum of all SMS credits.', [])
  const entries = metrics.gauge('makola_ledger_entries', 'Entries of all wallets: grows with every transfer.', ['purse'])
  return async () => {
    const { rows } = await sql<{ purse: string; balance: number; entries: number }>`
      select purse, sum(balance)::bigint as balance, sum(last_entry_no)::bigint as entries from wallets group by purse`.execute(
      db,
    )
    for (const { purse, balance: sum, entries: count } of rows) {
      if (purse === 'sms_credits') credits.set(sum)
      else balance.set({ purse }, sum / 100)
      entries.set({ purse }, count)
    }
  }
}

export function measureAlarms(metrics: Metrics, db: Db): () => Promise<void> {
  const open = metrics.gauge('makola_open_alarms', 'Alarms that stand: `makola alert list`.', ['name'])
  return async () => {
    const { rows } = await sql<{ name: string; count: number }>`
      select name, count(*)::integer as count from alarms where cleared_at is null group by name`.execute(db)
    open.reset()
    for (const { name, count } of rows) open.set({ name }, count)
  }
}

export function measureSuppliers(metrics: Metrics, db: Db): () => Promise<void> {
  const open = metrics.gauge('makola_route_open', 'Whether a route is open (1) or paused (0).', ['route'])
  const float = metrics.gauge('makola_supplier_float_ghs', 'Our float at a supplier, as last read.', ['supplier'])
  return async () => {
    const [routes, suppliers] = await Promise.all([
      db.selectFrom('routes').select(['supplier', 'product', 'network', 'state']).execute(),
      db.selectFrom('suppliers').select(['name', 'float_pesewas']).where('is_enabled', '=', true).execute(),
    ])
    open.reset()
    float.reset()
    for (const route of routes) open.set({ route: routeName(route) }, route.state === 'open' ? 1 : 0)
    for (const { name, float_pesewas: amount } of suppliers) if (amount !== null) float.set({ supplier: name }, amount / 100)
  }
}

export function measureChains(metrics: Metrics, db: Db): () => Promise<void> {
  const behind = metrics.gauge('makola_chain_seconds_behind', 'Age of the oldest history that may not be sealed yet.', ['chain'])
  const blocks = metrics.gauge('makola_chain_blocks', 'Sealed blocks of a chain.', ['chain'])
  return async () => {
    for (const { chain, secondsBehind, blockNo } of await readChainHeads(db)) {
      behind.set({ chain }, secondsBehind)
      blocks.set({ chain }, blockNo ?? 0)
    }
  }
}

/** Within this time, all readers get the result of one read of the database. */
const freshMilliseconds = 10_000

/**
 * Makes a collector that begins at most one read of the database in ten seconds, however many readers ask, and none while one
 * runs.
 */
export function cachedCollector(look: () => Promise<void>, onFailure: (error: unknown) => void): () => Promise<void> {
  let running: Promise<void> | undefined
  let lookedAt = -Infinity
  return () => {
    if (running) return running
    if (performance.now() - lookedAt < freshMilliseconds) return Promise.resolve()
    lookedAt = performance.now()
    running = look()
      .catch(onFailure)
      .finally(() => {
        running = undefined
      })
    return running
  }
}

/** The metrics that a worker reads from the database on demand; all workers report the same. */
export function measureDatabase(metrics: Metrics, db: Db, log: Logger): void {
  const readable = metrics.gauge('makola_database_readable', 'Whether the last look for the metrics could read the database.', [])
  const measures = [measureOpenOrders, measureWallets, measureSuppliers, measureAlarms, measureChains, measureWebhooks]
  const looks = measures.map((measure) => measure(metrics, db))
  const look = async () => {
    await Promise.all(looks.map((each) => each()))
    readable.set(1)
  }
  const onFailure = (error: unknown) => {
    readable.set(0)
    log.warn({ err: error }, 'the metrics could not be read from the database')
  }
  metrics.beforeReading(cachedCollector(look, onFailure))
}
