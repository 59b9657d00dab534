import { sql } from 'kysely'
import type { Db } from '../platform/database/database.ts'
import type { Metrics } from '../platform/metrics/open-metrics.ts'

/** Measures our debt to resellers, in GHS and in SMS credits, and the number of their wallets' entries. */
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
