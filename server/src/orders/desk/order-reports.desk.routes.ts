import type { Api } from '../../platform/http/api.ts'
import { Envelope, ok } from '../../platform/http/envelope.ts'
import { RefusalError, refusals } from '../../platform/http/refusals.ts'
import { OperatorRequestError } from '../../platform/operator-request-error.ts'
import { listOrdersById } from '../order.ts'
import { answerOrderReport } from '../order-reports/answer-order-report.ts'
import { listOrderReports } from '../order-reports/list-order-reports.ts'
import { productOf } from '../product-facts.ts'
import { Answered, AnswerReportBody, DeskOrderIdPath, DeskReportPage, DeskReportQuery } from './order-desk.schemas.ts'
import type { DeskOrderDeps } from './read-desk-query.ts'
import { viewDeskReport } from './view-desk-report.ts'

const tags = ['Orders']

const pageReports = 50

export function registerOrderReportRoutes(desk: Api, { db, products }: DeskOrderDeps): void {
  desk.get(
    '/order-reports',
    {
      config: { permission: 'see' },
      schema: {
        operationId: 'deskListOrderReports',
        tags,
        summary: 'Orders reported as not delivered, the longest waiting first; the answered ones, newest answer first',
        querystring: DeskReportQuery,
        response: { 200: Envelope(DeskReportPage) },
      },
    },
    async ({ query }) => {
      const rows = await listOrderReports(db, pageReports + 1, { isAnswered: query.state === 'answered', after: query.after })
      const reports = rows.slice(0, pageReports).map((report) => ({
        ...viewDeskReport(report),
        order_id: report.orderId,
        reference: report.reference,
        account: report.email,
        title: productOf(products, report.kind).title,
        recipient: report.recipient,
        status: report.status,
      }))
      return ok({ reports, next: rows.length > pageReports ? (reports.at(-1)?.order_id ?? null) : null })
    },
  )
  desk.post(
    '/orders/:order_id/answer-report',
    {
      config: { permission: 'settle_orders', refusals: [refusals.orderNotFound, 409] },
      schema: {
        operationId: 'deskAnswerOrderReport',
        tags,
        summary: 'Answer such a report; the reseller gets the answer, the order and its money stay as they are',
        params: DeskOrderIdPath,
        body: AnswerReportBody,
        response: { 200: Envelope(Answered) },
      },
    },
    async ({ params, body, staff }) => {
      const id = params.order_id.toLowerCase()
      const order = (await listOrdersById(db, [id])).get(id)
      if (!order) throw new RefusalError(refusals.orderNotFound)
      staff.mustNotOwn(order.accountId)
      const answer = { answer: body.answer.trim(), found: body.found, actor: staff.actor }
      if (!(await answerOrderReport(db, order, answer))) {
        throw new OperatorRequestError(`No report of order ${order.reference} waits for an answer.`)
      }
      return ok({ answered: true } as const)
    },
  )
}
