import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../platform/database/database.ts'
import { type BackgroundShare, wholeShare } from '../platform/housekeeping/background-share.ts'
import {
  type AuditReach,
  cutRange,
  type DayRange,
  dayPieces,
  firstIdOf,
  type IdRange,
  idPieces,
  withinIds,
  withinListed,
  withinPresent,
} from './audit-pieces/cut-audit.ts'
import type { AuditProof, ProofBook } from './audit-pieces/proof-book.ts'
import { checkpointsAfter, spansOfWallets, type WalletSpan, walletPieces } from './audit-pieces/wallet-spans.ts'
import type { TransferKind } from './money.tables.ts'

/** The piece of the data that one statement of a rule checks. */
export type AuditScope = {
  /** The condition that an id belongs to the piece. The id is an order's, or that of another cause of a transfer. */
  readonly within: (id: RawBuilder<unknown>) => RawBuilder<unknown>
  readonly days: DayRange
  /** The entries of wallets in the piece: a table `span` with the columns of `WalletSpan`. */
  readonly spans: RawBuilder<unknown>
}

/** A rule that no row may break. `badRows` counts the rows that break it, in one select. */
export type AuditCheck = {
  /** The problem as a name: `order_without_its_debit`. */
  readonly name: string
  /**
   * The rule is checked in pieces: by ranges of ids (`within`), by days, or by ranges of wallets' entries (`spans`), so that no
   * statement reads too many rows. Left out where the rule reads few rows.
   */
  readonly pieces?: 'ids' | 'days' | 'wallets'
  badRows(scope: AuditScope): RawBuilder<{ bad: number }>
}

/**
 * Rules that are checked by ranges of ids, by name. Each is the rest of a statement that begins with `select count(*) as bad`,
 * and finds the rows that break the rule. A rule that joins tables by an id needs the condition on each table. PostgreSQL does
 * not apply a range of one column to an equal column, so it would read the whole other table for every piece.
 */
export type IdRules = Readonly<Record<string, (within: AuditScope['within']) => RawBuilder<unknown>>>

export function idRules(rules: IdRules): AuditCheck[] {
  return Object.entries(rules).map(([name, badRows]) => ({
    name,
    pieces: 'ids',
    badRows: ({ within }) => sql`select count(*) as bad ${badRows(within)}`,
  }))
}

/**
 * Makes a rule: each row of a table has exactly one transfer of these kinds, with the row's amount and account, and each such
 * transfer has its row.
 */
export const withoutItsTransfer =
  (table: string, kinds: readonly TransferKind[]): IdRules[string] =>
  (within) =>
    sql`
    from (select * from ${sql.table(table)} where ${within(sql`id`)}) as cause
    full join (
      select * from transfers where ${within(sql`cause_id`)} and kind = any(${kinds}::text[])
    ) as transfer on transfer.cause_id = cause.id
    where cause.id is null or transfer.cause_id is null
      or cause.amount <> transfer.amount or cause.account_id <> transfer.account_id`

export type AuditReport = { readonly ok: boolean; readonly checks: Readonly<Record<string, number>> }

export type AuditRun = {
  /** False: the run skips what is proven. If nothing is proven, it checks the orders of the last two days, and all wallets. */
  readonly isFull: boolean
  /**
   * The book in which the run stores what it proves. Left out: it begins with the first entry of each wallet, and proves
   * nothing.
   */
  readonly book?: ProofBook
  /** Makes the pieces take turns with other background work, with rests in between. Left out: without rests. */
  readonly share?: BackgroundShare
  /** Only the rules about ids, for the ids of this range. */
  readonly only?: IdRange
  /** Transfers, or entries of wallets, in one piece. */
  readonly rowsPerPiece?: number
}

/** All rules together take some 200 ms for a piece of this size. */
const usualRowsPerPiece = 5_000

/** The check that counts 1 when a block of the last proof has been changed. */
const alteredProof = 'proof_differs_from_its_blocks'

/** Fills the missing parts of a piece: all ids, all days, no entries. */
function scopeOf(firstId: string, piece: Partial<AuditScope>): AuditScope {
  const all = { within: withinIds({ first: firstId }), days: { first: '-infinity', end: 'infinity' } }
  return { ...all, spans: spansOfWallets([]), ...piece }
}

/** All ids of a run: ranges of new ones, then lists of older ones that were changed since the proof. */
async function* cutIds(
  db: Db,
  reach: AuditReach,
  { book, rowsPerPiece }: { book: ProofBook | undefined; rowsPerPiece: number },
): AsyncGenerator<AuditScope['within']> {
  const firstId = firstIdOf(reach)
  for await (const range of idPieces(db, firstId, rowsPerPiece)) yield withinPresent(range)
  if (!book || typeof reach === 'string') return
  const changed = await book.listChangedIds(reach, firstId)
  for (let index = 0; index < changed.length; index += rowsPerPiece)
    yield withinListed(changed.slice(index, index + rowsPerPiece))
}

async function* cutOnly(db: Db, only: IdRange, rowsPerPiece: number): AsyncGenerator<AuditScope['within']> {
  for await (const range of cutRange(db, only, rowsPerPiece)) yield withinPresent(range)
}

async function readReach(
  isFull: boolean,
  book: ProofBook | undefined,
): Promise<{ reach: AuditReach; earlier?: AuditProof | undefined; isAltered: boolean }> {
  const { proof, isAltered } = (await book?.read()) ?? { isAltered: false }
  return isFull ? { reach: 'everything', isAltered } : { reach: proof ?? 'recent', earlier: proof, isAltered }
}

function reportOf(counts: ReadonlyMap<string, number>): AuditReport {
  return { ok: [...counts.values()].every((count) => count === 0), checks: Object.fromEntries(counts) }
}

/**
 * Counts the rows that break each rule, piece by piece. One statement counts a rule for a piece and sees one snapshot, so
 * purchases in progress are not taken for errors. No snapshot lasts longer than a statement: while a snapshot lasts, PostgreSQL
 * keeps all versions of the wallets, and purchases become slower and slower.
 *
 * With a book, the run writes new checkpoints until a rule about wallets is broken. A run without a finding is stored as a
 * proof, if everything before it was proven too, and still is. A full run with a finding withdraws the proof.
 */
export async function runAudit(db: Db, checks: readonly AuditCheck[], options: AuditRun): Promise<AuditReport> {
  const { isFull, only, book, share = wholeShare, rowsPerPiece = usualRowsPerPiece } = options
  const provenAt = new Date()
  const startedAt = performance.now()
  const blocks = await book?.readBlocks()
  const { reach, earlier, isAltered } = await readReach(isFull, book)
  const counts = new Map(checks.map(({ name }) => [name, 0]))
  if (book) counts.set(alteredProof, isAltered ? 1 : 0)

  async function hold(rules: readonly AuditCheck[], piece: Partial<AuditScope>): Promise<void> {
    if (rules.length === 0) return
    const waitedSeconds = (performance.now() - startedAt) / 1_000
    await share.piece(async () => {
      for (const check of rules) {
        const { rows } = await check.badRows(scopeOf(firstIdOf(reach), piece)).execute(db)
        counts.set(check.name, (counts.get(check.name) ?? 0) + (rows[0]?.bad ?? Number.NaN))
      }
    }, waitedSeconds)
  }

  async function holdWallets(rules: readonly AuditCheck[], spans: readonly WalletSpan[]): Promise<void> {
    await hold(rules, { spans: spansOfWallets(spans) })
    if (rules.every(({ name }) => counts.get(name) === 0)) await book?.writeCheckpoints(checkpointsAfter(spans))
  }

  const cutInto = (pieces: AuditCheck['pieces']) => checks.filter((check) => check.pieces === pieces)
  const [ofIds, ofDays, ofWallets] = [cutInto('ids'), cutInto('days'), cutInto('wallets')]
  const ids = only ? cutOnly(db, only, rowsPerPiece) : cutIds(db, reach, { book, rowsPerPiece })
  if (ofIds.length > 0) for await (const within of ids) await hold(ofIds, { within })
  if (only) return reportOf(counts)
  if (ofDays.length > 0) for (const days of await dayPieces(db, reach, rowsPerPiece)) await hold(ofDays, { days })
  if (ofWallets.length > 0) {
    const pieces = walletPieces(db, { book: isFull ? undefined : book, entriesMax: rowsPerPiece })
    for await (const spans of pieces) await holdWallets(ofWallets, spans)
  }
  for (const rule of cutInto(undefined)) await hold([rule], {})
  const report = reportOf(counts)
  if (report.ok && blocks && reach !== 'recent') {
    await book?.write({ provenAt, everythingAt: earlier?.everythingAt ?? provenAt, blocks }, earlier)
  }
  if (!report.ok && isFull) await book?.withdraw()
  return report
}
