import type { ReconciledAttempt } from './read-reconciled-attempts.ts'
import type { StatementLine, StatementProblem } from './read-statement.ts'

/** Reason why a billed line should not have been billed, by our books. */
export type TheirsOnlyReason = 'unknown_reference' | 'not_delivered' | 'billed_twice'

export type LineFinding = 'matched' | 'theirs_only' | 'amount_differs' | 'not_billed' | 'unreadable'

/** A line whose amount or commission differs from that of our attempt. */
export type AmountDifference = {
  readonly finding: 'amount_differs'
  readonly line: StatementLine
  readonly ours: ReconciledAttempt
}

/** A line that should not have been billed, by our books. `ours` is the attempt, if it is known. */
export type TheirsOnly = {
  readonly finding: 'theirs_only'
  readonly line: StatementLine
  readonly ours: ReconciledAttempt | null
  readonly why: TheirsOnlyReason
}

export type ComparedLine =
  | { readonly finding: 'unreadable'; readonly line: StatementProblem }
  | { readonly finding: 'not_billed'; readonly line: StatementLine; readonly ours: ReconciledAttempt | null }
  | { readonly finding: 'matched'; readonly line: StatementLine; readonly ours: ReconciledAttempt }
  | AmountDifference
  | TheirsOnly

export type LineFigures = { readonly amountPesewas: number; readonly commissionPesewas: number | null }

/** The cost of an attempt by our books: what the supplier reported, else what we expected. */
export function costOf(ours: ReconciledAttempt): number | null {
  return ours.reportedCostPesewas ?? ours.expectedCostPesewas
}

/** A statement without a commission is compared by its amount alone. */
export function hasOurFigures(figures: LineFigures, ours: ReconciledAttempt): boolean {
  if (figures.amountPesewas !== costOf(ours)) return false
  if (figures.commissionPesewas === null) return true
  return (
    figures.commissionPesewas ===
    (ours.earnedCommissionPesewas ?? ours.reportedCommissionPesewas ?? ours.expectedCommissionPesewas)
  )
}

/** Attempts that were billed before: by earlier lines of this file, or by other statements, with their times. */
export type BilledBefore = {
  readonly inFile: ReadonlySet<string>
  readonly elsewhere: ReadonlyMap<string, readonly (Date | null)[]>
}

/**
 * Whether other statements billed the attempt, and all their lines have another time than this one. Statements may overlap: a
 * line with the same time, or with an unknown time, may be this same line.
 */
function isBilledElsewhere(line: StatementLine, times: readonly (Date | null)[] | undefined): boolean {
  if (times === undefined || line.at === null) return false
  const at = line.at.getTime()
  return times.every((time) => time !== null && time.getTime() !== at)
}

/** Compares a line with the attempt that has its reference. */
export function compareLine(line: StatementLine, ours: ReconciledAttempt | undefined, before: BilledBefore): ComparedLine {
  if (!line.isBilled) return { finding: 'not_billed', line, ours: ours ?? null }
  if (!ours) return { finding: 'theirs_only', line, ours: null, why: 'unknown_reference' }
  const isTwice =
    before.inFile.has(ours.outgoingReference) || isBilledElsewhere(line, before.elsewhere.get(ours.outgoingReference))
  if (isTwice) return { finding: 'theirs_only', line, ours, why: 'billed_twice' }
  if (ours.outcome !== 'delivered') return { finding: 'theirs_only', line, ours, why: 'not_delivered' }
  return { finding: hasOurFigures(line, ours) ? 'matched' : 'amount_differs', line, ours }
}
