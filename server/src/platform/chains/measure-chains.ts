import type { Db } from '../database/database.ts'
import type { Metrics } from '../metrics/open-metrics.ts'
import { readChainHeads } from './read-chain-heads.ts'

/** Measures how many seconds the sealing of each chain is behind, and how many blocks the chain has. */
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
