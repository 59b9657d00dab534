import { sql } from 'kysely'
import type { Db, TableRow, Tx } from '../database/database.ts'
import { inTransaction } from '../database/in-transaction.ts'
import { type BackgroundShare, wholeShare } from '../housekeeping/background-share.ts'
import { listPutAwayMonths } from '../partitions/put-away-months.ts'
import { showMoment } from '../texts-for-people.ts'
import { type Block, endPositionOf, hashBlock, noHash, rowRangeOf } from './block.ts'
import type { Chain } from './chain.ts'
import { digestRows, readMarks, useUtc } from './digest-rows.ts'
import type { RecordedHead } from './recorded-heads.ts'

const nameOf = (mark: string) => mark.slice(0, mark.lastIndexOf(' '))

type RowDifference = { readonly what: 'row altered' | 'row missing' | 'row added'; readonly row: string }

/**
 * Leaves out the sealed rows that are not in the table because their month is put away. The key of such a row begins with an id of
 * that month.
 */
async function withoutPutAway(tx: Tx, chain: Chain, sealed: readonly string[], present: readonly string[]): Promise<string[]> {
  if (chain.key[0]?.type !== 'uuid') return [...sealed]
  const months = await listPutAwayMonths(tx)
  const presentNames = new Set(present.map(nameOf))
  const isPutAway = (mark: string) => months.some(({ first, end }) => mark >= first && mark < end)
  return sealed.filter((mark) => presentNames.has(nameOf(mark)) || !isPutAway(mark))
}

/**
 * Compares the sealed rows with the present ones, both in order, and names the first row that differs.
 * @param sealed a mark per row: its name, a blank, the beginning of its hash
 */
function findFirstDifference(sealed: readonly string[], present: readonly string[]): RowDifference | undefined {
  const presentNames = new Set(present.map(nameOf))
  for (let index = 0; index < Math.max(sealed.length, present.length); index += 1) {
    const [was, is] = [sealed[index], present[index]]
    if (was === is) continue
    if (was !== undefined && is !== undefined && nameOf(was) === nameOf(is)) return { what: 'row altered', row: nameOf(was) }
    if (was !== undefined && !presentNames.has(nameOf(was))) return { what: 'row missing', row: nameOf(was) }
    if (is !== undefined) return { what: 'row added', row: nameOf(is) }
  }
  return undefined
}

/** The first difference from the sealed state. */
export type ChainFinding = {
  readonly what: 'row altered' | 'row missing' | 'row added' | 'block altered' | 'block missing'
  /** The key of the row. Null when the finding is about the block itself. */
  readonly row: string | null
  readonly blockNo: number
  /** Null for a missing block. */
  readonly sealedAt: Date | null
}

export type ChainReport = {
  readonly chain: Chain['name']
  readonly blocks: number
  readonly rows: number
  /** The last block that was found right, or the block before the first checked one; null when there is neither. */
  readonly head: RecordedHead | null
  readonly finding: ChainFinding | null
}

export type VerifyOptions = {
  /** Only blocks that were sealed from this moment on. */
  readonly from?: Date
  /** The number of the first block to check. The block before it is only read. */
  readonly firstNo?: number
  readonly blocksMax?: number
  readonly noted?: readonly RecordedHead[]
  /** Shares the time with other background work: the check rests between blocks. Left out: no rests. */
  readonly share?: BackgroundShare
  /** Called with the number of rows checked so far. */
  onProgress?(rows: number): void
}

/** Blocks per read, without their marks. */
const pageSize = 100

async function listBlocks(
  db: Db,
  chain: Chain,
  { after, most, from }: { after: number; most: number; from?: Date },
): Promise<Block[]> {
  const { rows } = await sql<Block>`
    select chain, block_no, form, after_position, after_key, through_position, through_key, row_count, rows_hash,
      previous_hash, hash, sealed_at, encode(sha256(convert_to(row_marks, 'UTF8')), 'hex') as marks_hash
    from chain_blocks
    where chain = ${chain.name} and block_no > ${after} and (${from ?? null}::timestamptz is null or sealed_at >= ${from ?? null})
    order by block_no limit ${most}`.execute(db)
  return rows
}

const ofBlock = ({ block_no: blockNo, sealed_at: sealedAt }: Block) => ({ blockNo, sealedAt })

/** The expected number of the next block, and the block before it unless it is the first. */
type Before = { readonly nextNo: number; readonly before: Block | undefined }

/** Checks that a block has its own hash and follows the one before. */
function checkLink(block: Block, { nextNo, before }: Before): ChainFinding | undefined {
  if (block.block_no !== nextNo) return { what: 'block missing', row: null, blockNo: nextNo, sealedAt: null }
  if (nextNo > 1 && !before) return { what: 'block missing', row: null, blockNo: nextNo - 1, sealedAt: null }
  const begin = { position: block.after_position, key: block.after_key }
  const follows = before === undefined || JSON.stringify(endPositionOf(before)) === JSON.stringify(begin)
  if (follows && block.previous_hash === (before?.hash ?? noHash) && block.hash === hashBlock(block)) return undefined
  return { what: 'block altered', row: null, ...ofBlock(block) }
}

async function checkRows(tx: Tx, chain: Chain, block: Block): Promise<ChainFinding | undefined> {
  const part = { form: block.form, stretch: rowRangeOf(block) }
  const digest = await digestRows(tx, chain, part)
  if (digest.rowsHash === block.rows_hash && digest.rowCount === block.row_count) return undefined
  const { row_marks: marks } = await tx
    .selectFrom('chain_blocks')
    .select('row_marks')
    .where('chain', '=', chain.name)
    .where('block_no', '=', block.block_no)
    .executeTakeFirstOrThrow()
  const [sealed, present] = [marks.split('\n'), await readMarks(tx, chain, part)]
  const expected = await withoutPutAway(tx, chain, sealed, present)
  const difference = findFirstDifference(expected, present)
  if (!difference && expected.length < sealed.length) return undefined
  return { what: 'block altered', row: null, ...difference, ...ofBlock(block) }
}

/** Finds a row that was added before the first sealed row of the chain. */
async function findRowBefore(tx: Tx, chain: Chain, first: Block): Promise<ChainFinding | undefined> {
  const stretch = {
    after: { position: Number.MIN_SAFE_INTEGER, key: null },
    through: { position: first.after_position - 1, key: null },
  }
  const [mark] = await readMarks(tx, chain, { form: first.form, stretch })
  return mark === undefined ? undefined : { what: 'row added', row: mark.slice(0, mark.lastIndexOf(' ')), ...ofBlock(first) }
}

async function checkBlock(db: Db, chain: Chain, block: Block, before: Before): Promise<ChainFinding | undefined> {
  const broken = checkLink(block, before)
  if (broken) return broken
  return inTransaction(db, async (tx) => {
    await useUtc(tx)
    const early = block.block_no === 1 ? await findRowBefore(tx, chain, block) : undefined
    return early ?? (await checkRows(tx, chain, block))
  })
}

/** Checks that blocks noted outside of the database are still there, with the same hash. Heads of other chains are left out. */
async function checkRecordedHeads(db: Db, chain: Chain, noted: readonly RecordedHead[]): Promise<ChainFinding | undefined> {
  const ofChain = noted.filter((head) => head.chain === chain.name)
  if (ofChain.length === 0) return undefined
  const { rows } = await sql<TableRow<'chain_blocks', 'block_no' | 'hash' | 'sealed_at'>>`
    select block_no, hash, sealed_at from chain_blocks
    where chain = ${chain.name} and block_no = any(${ofChain.map(({ blockNo }) => blockNo)}::bigint[])`.execute(db)
  const blocks = new Map(rows.map((row) => [row.block_no, row]))
  for (const { blockNo, hash } of ofChain) {
    const block = blocks.get(blockNo)
    if (!block) return { what: 'block missing', row: null, blockNo, sealedAt: null }
    if (block.hash !== hash) return { what: 'block altered', row: null, blockNo, sealedAt: block.sealed_at }
  }
  return undefined
}

type Start = { firstNo: number; before?: Block }

async function startAt(db: Db, chain: Chain, firstNo: number): Promise<Start> {
  const [before] = firstNo > 1 ? await listBlocks(db, chain, { after: firstNo - 2, most: 1 }) : []
  return before?.block_no === firstNo - 1 ? { firstNo, before } : { firstNo }
}

/** Finds the first block to check: the first one sealed after a moment, the one with a given number, or block 1. */
async function findStart(db: Db, chain: Chain, { from, firstNo = 1 }: VerifyOptions): Promise<Start> {
  if (from === undefined) return startAt(db, chain, firstNo)
  const [first] = await listBlocks(db, chain, { after: 0, most: 1, from })
  return first ? startAt(db, chain, first.block_no) : { firstNo: Number.MAX_SAFE_INTEGER }
}

/**
 * Recomputes the blocks of a chain from their rows, oldest first, and stops at the first difference. Rows that are not sealed
 * yet, or whose month is put away, are not checked. An interrupted run can continue with `from` or `firstNo`.
 */
export async function verifyChain(db: Db, chain: Chain, options: VerifyOptions = {}): Promise<ChainReport> {
  let { firstNo: nextNo, before } = await findStart(db, chain, options)
  const { blocksMax = Number.MAX_SAFE_INTEGER, share = wholeShare } = options
  let [blocks, rows] = [0, 0]
  let finding = await checkRecordedHeads(db, chain, options.noted ?? [])
  while (!finding && blocks < blocksMax) {
    const page = await listBlocks(db, chain, { after: nextNo - 1, most: Math.min(pageSize, blocksMax - blocks) })
    for (const block of page) {
      const follows = { nextNo, before }
      finding = await share.piece(() => checkBlock(db, chain, block, follows))
      if (finding) break
      before = block
      nextNo += 1
      blocks += 1
      rows += block.row_count
      options.onProgress?.(rows)
    }
    if (page.length === 0) break
  }
  const head = before ? { chain: chain.name, blockNo: before.block_no, hash: before.hash } : null
  return { chain: chain.name, blocks, rows, head, finding: finding ?? null }
}

export async function countSealedRows(db: Db, chain: Chain, from: Date | undefined): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select coalesce(sum(row_count), 0)::bigint as count from chain_blocks
    where chain = ${chain.name} and (${from ?? null}::timestamptz is null or sealed_at >= ${from ?? null})`.execute(db)
  return rows[0]?.count ?? 0
}

const happened: Readonly<Record<ChainFinding['what'], string>> = {
  'row altered': 'was altered after it was sealed',
  'row missing': 'is missing',
  'row added': 'was added later',
  'block altered': 'was altered',
  'block missing': 'is missing',
}

/** Describes a finding: `transfer … of block 17, sealed at …, is missing`. */
export function describeFinding({ rowName }: Chain, { what, row, blockNo, sealedAt }: ChainFinding): string {
  const block = `block ${blockNo}${sealedAt ? `, sealed at ${showMoment(sealedAt)},` : ''}`
  return row === null ? `${block} ${happened[what]}` : `${rowName} ${row} of ${block} ${happened[what]}`
}
