import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Chain } from '../platform/chains/chain.ts'
import type { Db, TableRow } from '../platform/database/database.ts'
import type { PutAwayMonth } from '../platform/partitions/put-away-months.ts'

/** The number of texts, and the sum of their SHA-256 hashes (modulo 2^256): the same for the same texts in any order. */
export type Tally = { readonly count: number; readonly sum: string }

const modulus = 2n ** 256n

export function openTally(): { add(texts: Iterable<string>): void; read(): Tally } {
  let [count, sum] = [0, 0n]
  return {
    add(texts) {
      for (const text of texts) {
        count += 1
        sum = (sum + BigInt(`0x${createHash('sha256').update(text).digest('hex')}`)) % modulus
      }
    },
    read: () => ({ count, sum: sum.toString(16).padStart(64, '0') }),
  }
}

/** The blocks of a chain that hold the rows of a month, and the tally of these rows. */
export type SealedMonth = Tally & { readonly form: number; readonly firstBlock: number; readonly lastBlock: number }

const blocksPerPage = 20

/**
 * Adds up the marks of a month's rows in a chain, from a block on.
 * @param lastBlock the last block to look at; left out: the newest
 * @throws Error when its rows were sealed in several forms, because marks of different forms cannot be compared
 */
export async function tallySealed(
  db: Db,
  chain: Chain,
  { first, end }: Pick<PutAwayMonth, 'first' | 'end'>,
  { firstBlock, lastBlock }: { readonly firstBlock: number; readonly lastBlock?: number },
): Promise<SealedMonth> {
  const tally = openTally()
  const found: { block_no: number; form: number }[] = []
  let after = firstBlock - 1
  for (;;) {
    const { rows: blocks } = await sql<TableRow<'chain_blocks', 'block_no' | 'form' | 'row_marks'>>`
      select block_no, form, row_marks from chain_blocks
      where chain = ${chain.name} and block_no > ${after} and block_no <= ${lastBlock ?? Number.MAX_SAFE_INTEGER}
      order by block_no limit ${blocksPerPage}`.execute(db)
    for (const block of blocks) {
      const marks = block.row_marks.split('\n').filter((mark) => mark >= first && mark < end)
      tally.add(marks)
      if (marks.length > 0) found.push(block)
    }
    after = blocks.at(-1)?.block_no ?? after
    if (blocks.length < blocksPerPage) break
  }
  if (found.some(({ form }) => form !== found[0]?.form)) {
    throw new Error(`rows of this month are sealed in several forms of ${chain.name}`)
  }
  const { form = chain.forms.length, block_no: firstFound = firstBlock } = found[0] ?? {}
  return { ...tally.read(), form, firstBlock: firstFound, lastBlock: found.at(-1)?.block_no ?? firstFound }
}

/** The first block of a chain that may hold a row of a month: rows are sealed after they were made. */
export async function findFirstBlock(db: Db, chain: Chain, month: string): Promise<number> {
  const { rows } = await sql<{ block_no: number | null }>`
    select min(block_no) as block_no from chain_blocks
    where chain = ${chain.name} and sealed_at >= ${`${month}-01`}::date - interval '1 day'`.execute(db)
  return rows[0]?.block_no ?? 1
}
