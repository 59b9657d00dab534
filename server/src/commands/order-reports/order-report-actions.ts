import { readConfig } from '../../config.ts'
import { answerOrderReport } from '../../orders/order-reports/answer-order-report.ts'
import { type ListedReport, listOrderReports } from '../../orders/order-reports/list-order-reports.ts'
import type { ReportFinding } from '../../orders/order-reports/order-report.ts'
import { readOrderHistory } from '../../orders/queries/read-order-history.ts'
import { printable } from '../../platform/printable.ts'
import { products } from '../../products/products.ts'
import { CommandError } from '../frame/command-error.ts'
import { operatorName } from '../frame/operator-name.ts'
import { printResult } from '../frame/print-result.ts'
import { readCount, readText } from '../frame/read-options.ts'
import { withDatabase } from '../frame/with-database.ts'

const limitMax = 1_000

function viewReport(report: ListedReport) {
  const { orderId, reference, email, kind, recipient, status, statusThen, reason, reportedBy, reportedAt } = report
  return {
    order_id: orderId,
    reference,
    account: email,
    kind,
    recipient,
    status,
    status_then: statusThen,
    reason,
    reported_by: reportedBy,
    reported_at: reportedAt.toISOString(),
  }
}

function describeReport(report: ListedReport): string {
  const { reference, email, kind, recipient, status, reason, reportedAt } = report
  const said = reason === '' ? '' : `: ${reason}`
  return printable(`${reportedAt.toISOString()}  ${reference}  ${kind} to ${recipient}, ${status}  ${email ?? ''}${said}`)
}

export async function runOrderReports(options: { limit: string }): Promise<void> {
  const limit = readCount('--limit', options.limit, { least: 1, most: limitMax })
  const reports = await withDatabase(readConfig(), (db) => listOrderReports(db, limit))
  printResult({ reports: reports.map(viewReport) }, reports.map(describeReport).join('\n') || 'No report waits for an answer.')
}

export async function runAnswerReport(
  reference: string,
  { found, ...options }: { answer: string; found?: ReportFinding },
): Promise<void> {
  const answer = readText('--answer', options.answer)
  await withDatabase(readConfig(), async (db) => {
    const history = await readOrderHistory(db, products, reference)
    if (!history) throw new CommandError(`There is no order with the reference or id ${JSON.stringify(reference)}.`)
    const { order } = history
    if (!(await answerOrderReport(db, order, { answer, found, actor: operatorName() }))) {
      throw new CommandError(`No report of order ${order.reference} waits for an answer.`)
    }
    printResult(
      { order_id: order.id, reference: order.reference, answer, found: found ?? null },
      `Answered. The reseller gets the answer.`,
    )
  })
}
