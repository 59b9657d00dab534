import type { Readable } from 'node:stream'
import { sql } from 'kysely'
import type { CostExpectation } from '../money/expected-cost.ts'
import type { Db, Tx } from '../platform/database/database.ts'
import { listUnbilledAttempts } from './list-unbilled-attempts.ts'
import { type ReconciledAttempt, readReconciledAttempts } from './read-reconciled-attempts.ts'
import { readStatement, type StatementLine, type StatementProblem } from './read-statement.ts'

/** A line whose attempt we know, but with another amount or commission than ours. */
export type AmountDifference = { readonly line: StatementLine; readonly ours: ReconciledAttempt }

/** A line that was billed although our books say it should not have been. `ours` is the attempt, if we know it. */
export type TheirsOnly = {
  readonly line: StatementLine
  readonly ours: ReconciledAttempt | null
  readonly why: 'unknown_reference' | 'not_delivered' | 'billed_twice'
}

/** The result of comparing a supplier's statement with our orders. */
export type Reconciliation = {
  readonly supplier: string
  /** The period whose orders were looked for in the statement. Null when the statement had no lines. */
  readonly from: Date | null
  readonly to: Date | null
  readonly lines: number
  readonly matched: number
  readonly oursOnly: readonly ReconciledAttempt[]
  readonly theirsOnly: readonly TheirsOnly[]
  readonly amountDiffers: readonly AmountDifference[]
  readonly problems: readonly StatementProblem[]
}

export type ReconciliationOptions = {
  readonly supplier: string
  readonly file: Readable
  readonly expectations: readonly CostExpectation[]
  /** The time that the statement covers, where its own lines do not say so. */
  readonly from?: Date
  readonly to?: Date
}

/** Lines that are looked up together. */
const linesPerLookup = 500

type Tally = {
  lines: number
  matched: number
  theirsOnly: TheirsOnly[]
  amountDiffers: AmountDifference[]
  problems: StatementProblem[]
  /** Attempts that the statement bills. */
  billed: Set<string>
  from: Date | undefined
  to: Date | undefined
}

const earlier = (a: Date | undefined, b: Date) => (a === undefined || b < a ? b : a)
const later = (a: Date | undefined, b: Date) => (a === undefined || b > a ? b : a)

/** Whether the statement's figures are ours: what the supplier told us of the order, else what we expected. */
function isEqual(line: StatementLine, ours: ReconciledAttempt): boolean {
  if (line.amountPesewas !== (ours.reportedCostPesewas ?? ours.expectedCostPesewas)) return false
  if (line.commissionPesewas === null) return true
  return (
    line.commissionPesewas === (ours.earnedCommissionPesewas ?? ours.reportedCommissionPesewas ?? ours.expectedCommissionPesewas)
  )
}

function compare(tally: Tally, line: StatementLine, ours: ReconciledAttempt | undefined): void {
  if (!line.isBilled) return
  const [from, to] = [line.at ?? ours?.createdAt, line.until ?? ours?.createdAt]
  if (from && to) {
    tally.from = earlier(tally.from, from)
    tally.to = later(tally.to, to)
  }
  if (!ours) tally.theirsOnly.push({ line, ours: null, why: 'unknown_reference' })
  else if (tally.billed.has(ours.attemptId)) tally.theirsOnly.push({ line, ours, why: 'billed_twice' })
  else if (ours.outcome !== 'delivered') tally.theirsOnly.push({ line, ours, why: 'not_delivered' })
  else if (isEqual(line, ours)) tally.matched += 1
  else tally.amountDiffers.push({ line, ours })
  if (ours) tally.billed.add(ours.attemptId)
}

async function compareLines(
  tx: Tx,
  tally: Tally,
  lines: readonly StatementLine[],
  options: ReconciliationOptions,
): Promise<void> {
  if (lines.length === 0) return
  const ours = await readReconciledAttempts(
    tx,
    options,
    sql`attempts.outgoing_reference = any(${lines.map((line) => line.reference)}::text[])`,
  )
  const byReference = new Map(ours.map((attempt) => [attempt.outgoingReference, attempt]))
  for (const line of lines) compare(tally, line, byReference.get(line.reference))
}

async function readAndCompare(tx: Tx, options: ReconciliationOptions): Promise<Tally> {
  const tally: Tally = {
    lines: 0,
    matched: 0,
    theirsOnly: [],
    amountDiffers: [],
    problems: [],
    billed: new Set(),
    from: undefined,
    to: undefined,
  }
  let waiting: StatementLine[] = []
  for await (const read of readStatement(options.file)) {
    tally.lines += 1
    if ('message' in read) {
      tally.problems.push(read)
      continue
    }
    waiting.push(read)
    if (waiting.length < linesPerLookup) continue
    await compareLines(tx, tally, waiting, options)
    waiting = []
  }
  await compareLines(tx, tally, waiting, options)
  return tally
}

/**
 * Compares a supplier's statement with our orders, all in one snapshot: lines that match, orders that only we
 * know of, lines that only the supplier knows of, and those whose amounts differ. Changes nothing.
 *
 * @throws StatementError when the file is no statement
 */
export function reconcileStatement(db: Db, options: ReconciliationOptions): Promise<Reconciliation> {
  const snapshot = db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only')
  return snapshot.execute(async (tx) => {
    const tally = await readAndCompare(tx, options)
    const from = options.from ?? tally.from ?? null
    const to = options.to ?? tally.to ?? null
    const oursOnly = from && to ? await listUnbilledAttempts(tx, options, { from, to }, tally.billed) : []
    const { lines, matched, theirsOnly, amountDiffers, problems } = tally
    return { supplier: options.supplier, from, to, lines, matched, oursOnly, theirsOnly, amountDiffers, problems }
  })
}
