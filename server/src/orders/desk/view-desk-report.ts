import type { OrderReport } from '../order-reports/order-report.ts'

/** Shows a reseller's report of an order, with the names of its writers. */
export function viewDeskReport(report: OrderReport) {
  return {
    reason: report.reason,
    status_then: report.statusThen,
    reported_by: report.reportedBy,
    reported_at: report.reportedAt.toISOString(),
    answer: report.answer,
    found: report.found,
    answered_by: report.answeredBy,
    answered_at: report.answeredAt?.toISOString() ?? null,
  }
}
