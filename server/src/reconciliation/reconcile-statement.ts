import { createHash } from 'node:crypto'
import { pipeline, type Readable, Transform } from 'node:stream'
import { sql } from 'kysely'
import type { CostExpectation } from '../money/expected-cost.ts'
import { attemptsNamed } from '../orders/queries/orders-named.ts'
import type { Db, Tx } from '../platform/database/database.ts'
import { lockNamed } from '../platform/database/run-alone.ts'
import { appendOperatorLog } from '../platform/operator-log/append-operator-log.ts'
import { type AmountDifference, type ComparedLine, compareLine, costOf, type TheirsOnly } from './compare-line.ts'
import { listUnbilledAttempts } from './list-unbilled-attempts.ts'
import { type ReconciledAttempt, readReconciledAttempts, tableOf } from './read-reconciled-attempts.ts'
import { readStatement, StatementError, type StatementLine, type StatementProblem } from './read-statement.ts'
import { closeBilledAttempts, revisitUndelivered, storeDifferentLines, storeUnbilledAttempts } from './store-differences.ts'
import {
  beginStatement,
  endStatement,
  type ImportedStatement,
  type StatementFindings,
  type StoredStatement,
} from './store-statement.ts'

type HashedFile = {
  readonly file: Readable
  /** SHA-256 of the file. Call it once, after the end of the file. */
  readonly digest: () => Buffer
}

/** Hashes a file while it is read. The file is read only once, so it may be a pipe. */
function hashWhileRead(source: Readable): HashedFile {
  const hash = createHash('sha256')
  const file = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      done(null, chunk)
    },
  })
  // Makes a failure of the source an error of the returned file.
  pipeline(source, file, () => undefined)
  return { file, digest: () => hash.digest() }
}

export type Reconciliation = {
  readonly supplier: string
  /** Period whose orders were compared with the statement. Null when no billed line has a time or an order of ours. */
  readonly from: Date | null
  readonly to: Date | null
  readonly lines: number
  readonly matched: number
  readonly oursOnly: readonly ReconciledAttempt[]
  readonly theirsOnly: readonly TheirsOnly[]
  readonly amountDiffers: readonly AmountDifference[]
  readonly problems: readonly StatementProblem[]
}

export type ImportedReconciliation = Reconciliation & {
  readonly statement: ImportedStatement
  /** How many earlier differences were closed: the statement bills their orders, or these have been delivered since. */
  readonly closedDifferences: number
  readonly findings: StatementFindings
}

export type ReconciliationOptions = {
  readonly supplier: string
  readonly file: Readable
  readonly fileName: string
  readonly actor: string
  readonly expectations: readonly CostExpectation[]
  /** The period of the statement. Absent: from its first billed line to its last. */
  readonly from?: Date
  readonly to?: Date
}

const linesPerLookup = 250

type Tally = {
  lines: number
  matched: number
  /** Pesewas. */
  matchedAmount: number
  notBilled: number
  theirsOnly: TheirsOnly[]
  amountDiffers: AmountDifference[]
  problems: StatementProblem[]
  billed: Set<string>
  from: Date | undefined
  to: Date | undefined
}

const earlier = (a: Date | undefined, b: Date) => (a === undefined || b < a ? b : a)
const later = (a: Date | undefined, b: Date) => (a === undefined || b > a ? b : a)

/** For each attempt, the times at which other statements bill it. */
async function readOtherBillings(
  tx: Tx,
  statement: StoredStatement,
  attempts: readonly ReconciledAttempt[],
): Promise<Map<string, (Date | null)[]>> {
  const { rows } = await sql<{ outgoing_reference: string; at: Date | null }>`
    select ours.outgoing_reference, at from ${tableOf(attempts)} join statement_lines using (order_id, attempt_no)
    where finding <> 'not_billed' and statement_id <> ${statement.id}`.execute(tx)
  const groups = Map.groupBy(rows, (row) => row.outgoing_reference)
  return new Map([...groups].map(([reference, billings]) => [reference, billings.map(({ at }) => at)]))
}

function count(tally: Tally, judged: ComparedLine): void {
  if (judged.finding === 'unreadable') tally.problems.push(judged.line)
  if (judged.finding === 'not_billed') tally.notBilled += 1
  if (judged.finding === 'unreadable' || judged.finding === 'not_billed') return
  const { line, ours } = judged
  const [from, to] = [line.at ?? ours?.createdAt, line.until ?? ours?.createdAt]
  if (from && to) {
    tally.from = earlier(tally.from, from)
    tally.to = later(tally.to, to)
  }
  if (judged.finding === 'theirs_only') tally.theirsOnly.push(judged)
  else if (judged.finding === 'amount_differs') tally.amountDiffers.push(judged)
  else {
    tally.matched += 1
    tally.matchedAmount += line.amountPesewas
  }
  if (ours) tally.billed.add(ours.outgoingReference)
}

async function judgeLines(
  tx: Tx,
  tally: Tally,
  statement: StoredStatement,
  read: readonly (StatementLine | StatementProblem)[],
  options: ReconciliationOptions,
): Promise<void> {
  const references = read.flatMap((line) => ('message' in line ? [] : line.reference))
  const ours = await readReconciledAttempts(tx, options, sql`select distinct * from (${attemptsNamed(references)}) as named`)
  const byReference = new Map(ours.map((attempt) => [attempt.outgoingReference, attempt]))
  const elsewhere = await readOtherBillings(tx, statement, ours)
  const judged = read.map((line): ComparedLine => {
    const found: ComparedLine =
      'message' in line
        ? { finding: 'unreadable', line }
        : // We make references in small letters; a supplier that ignores case may print others.
          compareLine(line, byReference.get(line.reference.toLowerCase()), { inFile: tally.billed, elsewhere })
    count(tally, found)
    return found
  })
  await statement.keepLines(judged)
}

async function readAndCompare(tx: Tx, statement: StoredStatement, options: ReconciliationOptions): Promise<Tally> {
  const tally: Tally = {
    lines: 0,
    matched: 0,
    matchedAmount: 0,
    notBilled: 0,
    theirsOnly: [],
    amountDiffers: [],
    problems: [],
    billed: new Set(),
    from: undefined,
    to: undefined,
  }
  let waiting: (StatementLine | StatementProblem)[] = []
  for await (const read of readStatement(options.file)) {
    tally.lines += 1
    waiting.push(read)
    if (waiting.length < linesPerLookup) continue
    await judgeLines(tx, tally, statement, waiting, options)
    waiting = []
  }
  if (waiting.length > 0) await judgeLines(tx, tally, statement, waiting, options)
  const [first] = tally.problems
  if (first && tally.problems.length === tally.lines) {
    throw new StatementError(`None of the file’s lines can be read (${tally.lines}). Line ${first.line} ${first.message}.`)
  }
  return tally
}

/**
 * Stores the differences between a statement and our books. Closes earlier ones whose order the statement bills, or whose order
 * has been delivered since.
 * @returns how many were closed
 */
async function keepDifferences(
  tx: Tx,
  statement: ImportedStatement,
  options: ReconciliationOptions,
  { theirsOnly, amountDiffers, oursOnly }: Pick<Reconciliation, 'theirsOnly' | 'amountDiffers' | 'oursOnly'>,
): Promise<number> {
  const kept = { id: statement.id, supplier: options.supplier }
  // Runs also for a file that was imported before, because it may now be compared over a longer period.
  await storeUnbilledAttempts(tx, kept, oursOnly)
  const revisited = await revisitUndelivered(tx, options)
  if (!statement.isNew) return revisited
  await storeDifferentLines(tx, kept, [...theirsOnly, ...amountDiffers])
  return revisited + (await closeBilledAttempts(tx, statement.id))
}

const sumOf = (amounts: readonly (number | null)[]) => amounts.reduce<number>((sum, amount) => sum + (amount ?? 0), 0)

function findingsOf(tally: Tally, oursOnly: readonly ReconciledAttempt[]): StatementFindings {
  const { theirsOnly, amountDiffers } = tally
  return {
    matched: tally.matched,
    matchedAmount: tally.matchedAmount,
    oursOnly: oursOnly.length,
    oursOnlyAmount: sumOf(oursOnly.map(costOf)),
    theirsOnly: theirsOnly.length,
    theirsOnlyAmount: sumOf(theirsOnly.map(({ line }) => line.amountPesewas)),
    amountDiffers: amountDiffers.length,
    amountDiffersTheirs: sumOf(amountDiffers.map(({ line }) => line.amountPesewas)),
    amountDiffersOurs: sumOf(amountDiffers.map(({ ours }) => costOf(ours))),
    notBilled: tally.notBilled,
    unreadable: tally.problems.length,
  }
}

async function importStatement(tx: Tx, options: ReconciliationOptions): Promise<ImportedReconciliation> {
  const { supplier, fileName, actor } = options
  const { file, digest } = hashWhileRead(options.file)
  const kept = await beginStatement(tx)
  const tally = await readAndCompare(tx, kept, { ...options, file })
  const from = options.from ?? tally.from ?? null
  const to = options.to ?? tally.to ?? null
  const { lines, matched, theirsOnly, amountDiffers, problems, billed } = tally
  const oursOnly = from && to ? await listUnbilledAttempts(tx, options, { from, to }, billed) : []
  const findings = findingsOf(tally, oursOnly)
  const read = { supplier, hash: digest(), fileName, lineCount: lines, from, to, actor, findings }
  const statement = await endStatement(tx, kept, read)
  const closedDifferences = await keepDifferences(tx, statement, options, { theirsOnly, amountDiffers, oursOnly })
  if (statement.isNew) {
    const counts = { matched, ours_only: oursOnly.length, theirs_only: theirsOnly.length, amount_differs: amountDiffers.length }
    const details = { file: fileName, statement_id: statement.id, lines, ...counts, closed: closedDifferences }
    await appendOperatorLog(tx, { actor, action: 'reconcile', subject: supplier, details })
  }
  const compared = { supplier, from, to, lines, matched, oursOnly, theirsOnly, amountDiffers, problems }
  return { ...compared, statement, closedDifferences, findings }
}

/**
 * Compares a supplier's statement with our orders in one snapshot: matching lines, orders that only we know, lines that only
 * the supplier knows, and lines with another amount. Imports each file once, with the finding of each line. Its differences
 * stay open until a person or a later import closes them.
 * @throws StatementError when the file is no statement or none of its lines can be read; then nothing is stored
 */
export function reconcileStatement(db: Db, options: ReconciliationOptions): Promise<ImportedReconciliation> {
  return db.connection().execute(async (connection) => {
    // Imports one statement of a supplier at a time. The lock is taken before the snapshot, so the snapshot includes the
    // statement that was imported before.
    const key = lockNamed(`statements of ${options.supplier}`)
    await sql`select pg_advisory_lock(${key})`.execute(connection)
    try {
      const snapshot = connection.transaction().setIsolationLevel('repeatable read')
      return await snapshot.execute((tx) => importStatement(tx, options))
    } finally {
      await sql`select pg_advisory_unlock(${key})`.execute(connection)
    }
  })
}
