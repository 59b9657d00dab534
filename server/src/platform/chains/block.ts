import { createHash } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { Tables } from '../database/database.ts'
import type { ChainPosition, RowRange } from './chain.ts'

/** A block with the hash of its rows' marks in place of the marks. */
export type Block = Omit<Selectable<Tables['chain_blocks']>, 'row_marks'> & { readonly marks_hash: string }

/** The previous hash of the first block of a chain. */
export const noHash = '0'.repeat(64)

export const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** The place where a block ends, and the next one begins. */
export const endPositionOf = (block: Pick<Block, 'through_position' | 'through_key'>): ChainPosition => ({
  position: block.through_position,
  key: block.through_key,
})

export const rowRangeOf = (block: Omit<Block, 'hash' | 'marks_hash'>): RowRange => ({
  after: { position: block.after_position, key: block.after_key },
  through: endPositionOf(block),
})

/** The hash of a block covers all its fields, and through `previous_hash` all blocks before it. */
export function hashBlock(block: Omit<Block, 'hash'>): string {
  return sha256(
    JSON.stringify([
      'makola chain',
      block.form,
      block.chain,
      block.block_no,
      block.after_position,
      block.after_key,
      block.through_position,
      block.through_key,
      block.row_count,
      block.rows_hash,
      block.marks_hash,
      block.previous_hash,
      block.sealed_at.toISOString(),
    ]),
  )
}
