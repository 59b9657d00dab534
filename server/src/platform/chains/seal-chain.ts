import { sql } from 'kysely'
import type { Db, Tx } from '../database/database.ts'
import { inTransaction } from '../database/in-transaction.ts'
import { type BackgroundShare, wholeShare } from '../housekeeping/background-share.ts'
import { endPositionOf, hashBlock, noHash, sha256 } from './block.ts'
import { type Chain, type ChainPosition, positionOfRow, type RowRange } from './chain.ts'
import { digestRows, type RowsDigest, useUtc } from './digest-rows.ts'

/** The most rows of a block: few enough to be hashed quickly, and enough that a year has few blocks. */
const usualRowsMax = 5_000

/** The search for rows begins with at least this many transactions, and takes four times as many while it finds few rows. */
const leastWidth = 64

/**
 * A search never begins with more transactions than this: the last block may be from a quiet hour, and the next rows from a
 * busy one.
 */
const firstWidthMax = 65_536

/** A block that is less than half full is sealed only when the one before is this old, so that a quiet year has few blocks. */
const usualRestSeconds = 60

/** A pass over one chain stops after this time; the rest is left for the next pass. */
const passMilliseconds = 60_000

type TransactionState = {
  readonly at: Date
  /** All transactions below this position have ended, and their rows can be read. */
  readonly horizon: number
  /** No transaction of this position, or a higher one, has begun to write. */
  readonly next: number
}

async function readTransactionState(tx: Tx): Promise<TransactionState> {
  const { rows } = await sql<TransactionState>`
    select statement_timestamp() as at,
      (era::bigint << 48) + pg_snapshot_xmin(pg_current_snapshot())::text::bigint as horizon,
      (era::bigint << 48) + pg_snapshot_xmax(pg_current_snapshot())::text::bigint as next
    from chain_era`.execute(tx)
  const [row] = rows
  if (!row) throw new Error('the table chain_era has lost its row')
  return row
}

/** Finds the place where the first block of a chain begins: before its first finished transaction. */
async function findBeginning(tx: Tx, chain: Chain, horizon: number): Promise<ChainPosition | undefined> {
  const { rows } = await sql<{ first: number | null }>`
    select min(${positionOfRow}) as first from ${chain.table} where ${positionOfRow} < ${horizon}`.execute(tx)
  const first = rows[0]?.first ?? null
  return first === null ? undefined : { position: first, key: [] }
}

type RangeToSeal = { readonly stretch: RowRange; readonly digest: RowsDigest }

/** Cuts a stretch where it has as many rows as a block holds. */
function cut(stretch: RowRange, digest: RowsDigest, rowsMax: number): RangeToSeal {
  if (digest.rowCount < rowsMax || digest.lastPosition === null) return { stretch, digest }
  return { stretch: { after: stretch.after, through: { position: digest.lastPosition, key: digest.lastKey } }, digest }
}

/** Finds the rest of a cut transaction, when that rest alone fills a block. */
async function findRestOfTransaction(
  tx: Tx,
  chain: Chain,
  after: ChainPosition,
  rowsMax: number,
): Promise<RangeToSeal | undefined> {
  if (after.key === null) return undefined
  const stretch = { after, through: { position: after.position, key: null } }
  const digest = await digestRows(tx, chain, { form: chain.forms.length, stretch, rowsMax })
  return digest.rowCount >= rowsMax ? cut(stretch, digest, rowsMax) : undefined
}

/**
 * Finds the rows of the next block: of enough transactions to fill half of it or, if there are too few, of all that have ended.
 * @param upTo.lastWidth the number of transactions in the block before
 */
async function findRangeToSeal(
  tx: Tx,
  chain: Chain,
  after: ChainPosition,
  upTo: { horizon: number; lastWidth: number; rowsMax: number },
): Promise<RangeToSeal | undefined> {
  const { horizon, rowsMax } = upTo
  const rest = await findRestOfTransaction(tx, chain, after, rowsMax)
  if (rest) return rest
  if (after.position >= horizon || (after.position === horizon - 1 && after.key === null)) return undefined
  for (let width = Math.min(Math.max(upTo.lastWidth, leastWidth), firstWidthMax); ; width *= 4) {
    const end = Math.min(after.position + width, horizon - 1)
    const stretch = { after, through: { position: end, key: null } }
    const digest = await digestRows(tx, chain, { form: chain.forms.length, stretch, rowsMax })
    if (digest.rowCount >= rowsMax / 2) return cut(stretch, digest, rowsMax)
    if (end === horizon - 1) return digest.rowCount > 0 ? { stretch, digest } : undefined
  }
}

const keyOrNull = (key: readonly string[] | null) => (key === null ? null : JSON.stringify(key))

async function readHead(tx: Tx, chain: Chain) {
  return tx
    .selectFrom('chain_blocks')
    .select(['block_no', 'after_position', 'through_position', 'through_key', 'hash', 'sealed_at'])
    .where('chain', '=', chain.name)
    .orderBy('block_no', 'desc')
    .limit(1)
    .executeTakeFirst()
}

async function readClock(tx: Tx): Promise<Date> {
  const { rows } = await sql<{ at: Date }>`select date_trunc('milliseconds', clock_timestamp()) as at`.execute(tx)
  return rows[0]?.at ?? new Date()
}

export type SealOptions = { readonly rowsMax?: number; readonly restSeconds?: number }

/**
 * Records the moment up to which everything is sealed. The moment moves on only when every transaction that began before it has
 * ended, so a transaction that stays open for hours shows as a chain that falls behind.
 */
async function recordSealing(tx: Tx, chain: Chain, { at, horizon, next }: TransactionState): Promise<void> {
  await sql`
    update chain_states set sealed_through_at = mark_at, mark_position = ${next}, mark_at = ${at}
    where chain = ${chain.name} and mark_position <= ${horizon}`.execute(tx)
}

/**
 * Seals the next rows of a chain in one block, in a transaction of its own, so that a crash leaves the whole block or
 * nothing.
 * @returns the number of rows; 0 when everything possible is sealed, when the rest must wait, or when another process
 * was first
 */
export async function sealNextBlock(
  db: Db,
  chain: Chain,
  { rowsMax = usualRowsMax, restSeconds = usualRestSeconds }: SealOptions = {},
): Promise<number> {
  return inTransaction(db, async (tx) => {
    await useUtc(tx)
    const head = await readHead(tx, chain)
    // The horizon is read before the rows. Every row below it can be seen by the statements that follow.
    const look = await readTransactionState(tx)
    const after = head ? endPositionOf(head) : await findBeginning(tx, chain, look.horizon)
    const lastWidth = head ? head.through_position - head.after_position : leastWidth
    const part = after && (await findRangeToSeal(tx, chain, after, { horizon: look.horizon, lastWidth, rowsMax }))
    if (!part) {
      await recordSealing(tx, chain, look)
      return 0
    }
    const isFull = part.digest.rowCount >= rowsMax / 2
    if (head && !isFull && look.at.getTime() - head.sealed_at.getTime() < restSeconds * 1_000) return 0
    if (!(await writeBlock(tx, chain, head, part))) return 0
    const { position, key } = part.stretch.through
    if (position === look.horizon - 1 && key === null) await recordSealing(tx, chain, look)
    return part.digest.rowCount
  })
}

/** @returns false when another process has written a block of this number */
async function writeBlock(
  tx: Tx,
  chain: Chain,
  head: { block_no: number; hash: string } | undefined,
  { digest, stretch }: RangeToSeal,
): Promise<boolean> {
  const block = {
    chain: chain.name,
    block_no: (head?.block_no ?? 0) + 1,
    form: chain.forms.length,
    after_position: stretch.after.position,
    after_key: stretch.after.key,
    through_position: stretch.through.position,
    through_key: stretch.through.key,
    row_count: digest.rowCount,
    rows_hash: digest.rowsHash,
    previous_hash: head?.hash ?? noHash,
    sealed_at: await readClock(tx),
  }
  const hash = hashBlock({ ...block, marks_hash: sha256(digest.rowMarks) })
  const keys = { after_key: keyOrNull(block.after_key), through_key: keyOrNull(block.through_key) }
  const written = await tx
    .insertInto('chain_blocks')
    .values({ ...block, ...keys, row_marks: digest.rowMarks, hash })
    .onConflict((conflict) => conflict.columns(['chain', 'block_no']).doNothing())
    .returning('block_no')
    .executeTakeFirst()
  return written !== undefined
}

async function readSecondsBehind(db: Db, chain: Chain): Promise<number> {
  const { rows } = await sql<{ seconds: number }>`
    select extract(epoch from clock_timestamp() - sealed_through_at)::float8 as seconds
    from chain_states where chain = ${chain.name}`.execute(db)
  return rows[0]?.seconds ?? 0
}

type PassOptions = SealOptions & { readonly milliseconds?: number; readonly share?: BackgroundShare }

/** Seals the waiting rows, block by block, until `milliseconds` are over. The rest is left for the next pass. */
export async function sealChain(
  db: Db,
  chain: Chain,
  { milliseconds = passMilliseconds, share = wholeShare, ...options }: PassOptions = {},
): Promise<void> {
  const endsAt = performance.now() + milliseconds
  const secondsBehind = await readSecondsBehind(db, chain)
  while (performance.now() < endsAt) {
    const count = await share.piece(() => sealNextBlock(db, chain, options), secondsBehind)
    if (count === 0) return
  }
}
