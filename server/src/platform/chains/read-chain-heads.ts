import { sql } from 'kysely'
import type { Db } from '../database/database.ts'

/** The newest block of a chain, and the end of its sealed rows. */
export type ChainHead = {
  readonly chain: string
  /** Null while nothing is sealed. */
  readonly blockNo: number | null
  readonly hash: string | null
  readonly sealedAt: Date | null
  /** All rows written before this moment are sealed. */
  readonly sealedThroughAt: Date
  readonly secondsBehind: number
}

export async function readChainHeads(db: Db): Promise<ChainHead[]> {
  const { rows } = await sql<ChainHead>`
    select state.chain, block.block_no as "blockNo", block.hash, block.sealed_at as "sealedAt",
      state.sealed_through_at as "sealedThroughAt",
      greatest(extract(epoch from clock_timestamp() - state.sealed_through_at), 0)::float8 as "secondsBehind"
    from chain_states as state
    left join lateral (
      select block_no, hash, sealed_at from chain_blocks where chain_blocks.chain = state.chain order by block_no desc limit 1
    ) as block on true
    order by state.chain`.execute(db)
  return rows
}
