import type { Static } from 'typebox'
import { ghs, pesewas } from '../money/pesewas.ts'
import type { FloatDay, FloatRead } from './compare-floats.ts'
import type { ListedDifference, OpenDifferences } from './list-differences.ts'
import type { ListedStatement } from './list-statements.ts'
import type { Difference, FloatDays, StatementList } from './reconciliation.schemas.ts'

const amountOf = (amount: number | null) => (amount === null ? null : ghs(pesewas(amount)))

export function viewDifferenceRow(difference: ListedDifference): Static<typeof Difference> {
  return {
    difference_id: difference.id,
    supplier: difference.supplier,
    kind: difference.kind,
    why: difference.why,
    reference: difference.reference,
    supplier_reference: difference.supplier_reference,
    order_id: difference.order_id,
    order_reference: difference.order_reference,
    order_status: difference.order_status,
    amount_theirs: amountOf(difference.amount_theirs),
    amount_ours: amountOf(difference.amount_ours),
    amount_by: amountOf(difference.amount_by),
    commission_theirs: amountOf(difference.commission_theirs),
    commission_ours: amountOf(difference.commission_ours),
    at: difference.at?.toISOString() ?? null,
    statement_id: difference.statement_id,
    file_name: difference.file_name,
    line: difference.line_no,
    found_at: difference.found_at.toISOString(),
    assigned_to: difference.assigned_to,
    closed_at: difference.closed_at?.toISOString() ?? null,
    closed_by: difference.closed_by,
    close_reason: difference.close_reason,
  }
}

export function viewOpenDifferences({ amount_theirs, amount_ours, amount_by, ...row }: OpenDifferences) {
  return {
    ...row,
    amount_theirs: ghs(pesewas(amount_theirs)),
    amount_ours: ghs(pesewas(amount_ours)),
    amount_by: ghs(pesewas(amount_by)),
  }
}

export function viewStatement(row: ListedStatement): Static<typeof StatementList>['statements'][number] {
  return {
    statement_id: row.id,
    supplier: row.supplier,
    file_name: row.file_name,
    lines: row.line_count,
    covers_from: row.covers_from?.toISOString() ?? null,
    covers_to: row.covers_to?.toISOString() ?? null,
    imported_by: row.imported_by,
    imported_at: row.imported_at.toISOString(),
    matched: row.matched,
    matched_amount: amountOf(row.matched_amount),
    ours_only: row.ours_only,
    ours_only_amount: amountOf(row.ours_only_amount),
    theirs_only: row.theirs_only,
    theirs_only_amount: amountOf(row.theirs_only_amount),
    amount_differs: row.amount_differs,
    amount_differs_theirs: amountOf(row.amount_differs_theirs),
    amount_differs_ours: amountOf(row.amount_differs_ours),
    not_billed: row.not_billed,
    unreadable: row.unreadable,
    open: row.open,
  }
}

const viewRead = (read: FloatRead | null) => read && { float: ghs(read.floatPesewas), at: read.at.toISOString() }

export function viewDayOfFloat(day: FloatDay): Static<typeof FloatDays>['days'][number] {
  const { opening, closing, costs, refunds, topUps } = day
  const isRead = opening !== null && closing !== null
  return {
    day: day.day,
    opening: viewRead(opening),
    closing: viewRead(closing),
    moved: isRead ? ghs(pesewas(closing.floatPesewas - opening.floatPesewas)) : null,
    expected: isRead ? ghs(pesewas(topUps + refunds - costs)) : null,
    costs: ghs(costs),
    refunds: ghs(refunds),
    top_ups: ghs(topUps),
    in_doubt: ghs(day.inDoubt),
    orders_without_cost: day.withoutCost,
    drift: isRead ? ghs(day.drift) : null,
  }
}

export const differenceColumns = [
  'supplier',
  'kind',
  'why',
  'reference',
  'supplier_reference',
  'order_reference',
  'order_status',
  'amount_theirs',
  'amount_ours',
  'amount_by',
  'time',
  'file_name',
  'line',
  'assigned_to',
  'closed_at',
  'closed_by',
  'close_reason',
] as const
