import { ghs, pesewas } from '../money/pesewas.ts'
import { layOutTable } from '../platform/texts-for-people.ts'
import type { ReconciledAttempt } from '../reconciliation/read-reconciled-attempts.ts'
import type { StatementLine } from '../reconciliation/read-statement.ts'
import type { Reconciliation } from '../reconciliation/reconcile-statement.ts'

const amountOf = (amount: number | null) => (amount === null ? null : ghs(pesewas(amount)))

function oursJson(ours: ReconciledAttempt) {
  return {
    order_id: ours.orderId,
    order_reference: ours.orderReference,
    order_status: ours.orderStatus,
    kind: ours.kind,
    our_reference: ours.outgoingReference,
    sent_at: ours.createdAt.toISOString(),
    expected_cost: amountOf(ours.expectedCostPesewas),
    reported_cost: amountOf(ours.reportedCostPesewas),
    expected_commission: amountOf(ours.expectedCommissionPesewas),
    reported_commission: amountOf(ours.reportedCommissionPesewas),
    credited_from: amountOf(ours.earnedCommissionPesewas),
  }
}

function lineJson(line: StatementLine) {
  return {
    line: line.line,
    our_reference: line.reference,
    amount: amountOf(line.amountPesewas),
    commission: amountOf(line.commissionPesewas),
    at: line.at?.toISOString() ?? null,
  }
}

/** The JSON of `makola reconcile`: counts, and every difference. Amounts in GHS. */
export function reconciliationJson(result: Reconciliation) {
  return {
    supplier: result.supplier,
    from: result.from?.toISOString() ?? null,
    to: result.to?.toISOString() ?? null,
    lines: result.lines,
    matched: result.matched,
    ours_only: result.oursOnly.map(oursJson),
    theirs_only: result.theirsOnly.map(({ line, ours, why }) => ({ ...lineJson(line), why, order: ours && oursJson(ours) })),
    amount_differs: result.amountDiffers.map(({ line, ours }) => ({ ...lineJson(line), order: oursJson(ours) })),
    unreadable_lines: result.problems,
  }
}

/** The text shows at most this many lines of each kind. The JSON has all. */
const linesShown = 30

function section(title: string, header: readonly string[], rows: readonly (readonly string[])[]): string[] {
  if (rows.length === 0) return []
  const lines = layOutTable([header, ...rows.slice(0, linesShown)], 'words').replaceAll(/^/gm, '  ')
  const more = rows.length - linesShown
  return ['', `${title} (${rows.length}):`, lines, ...(more > 0 ? [`  … and ${more} more; --json lists all`] : [])]
}

const money = (amount: number | null) => (amount === null ? 'not known' : ghs(pesewas(amount)).toFixed(2))

const reasons = {
  unknown_reference: 'we know no such reference',
  not_delivered: 'not delivered, by our books',
  billed_twice: 'stands there a second time',
} as const

export function reconciliationText(result: Reconciliation): string {
  const { oursOnly, theirsOnly, amountDiffers, problems } = result
  const period = result.from && result.to ? ` from ${result.from.toISOString()} to ${result.to.toISOString()}` : ''
  const counts = `${result.matched} matched, ${oursOnly.length} ours only, ${theirsOnly.length} theirs only, ${amountDiffers.length} with another amount`
  return [
    `${result.supplier}${period}: ${result.lines} lines.`,
    `${counts}.`,
    ...section(
      'Ours only: delivered, but not in the statement',
      ['order', 'our reference', 'cost', 'sent at'],
      oursOnly.map((ours) => [
        ours.orderReference,
        ours.outgoingReference,
        money(ours.reportedCostPesewas ?? ours.expectedCostPesewas),
        ours.createdAt.toISOString(),
      ]),
    ),
    ...section(
      'Theirs only: in the statement, but not explained by an order of ours',
      ['line', 'our reference', 'amount', 'why', 'order'],
      theirsOnly.map(({ line, ours, why }) => [
        String(line.line),
        line.reference,
        money(line.amountPesewas),
        reasons[why],
        ours ? `${ours.orderReference} (${ours.orderStatus})` : '',
      ]),
    ),
    ...section(
      'Another amount',
      ['line', 'order', 'amount theirs', 'reported', 'expected', 'commission theirs', 'credited from', 'expected'],
      amountDiffers.map(({ line, ours }) => [
        String(line.line),
        ours.orderReference,
        money(line.amountPesewas),
        money(ours.reportedCostPesewas),
        money(ours.expectedCostPesewas),
        money(line.commissionPesewas),
        money(ours.earnedCommissionPesewas),
        money(ours.expectedCommissionPesewas),
      ]),
    ),
    ...section(
      'Lines that could not be read',
      ['line', 'what is wrong'],
      problems.map((problem) => [String(problem.line), problem.message]),
    ),
  ].join('\n')
}
