import Type from 'typebox'
import { Nullable, OneOf, Uuid } from '../../platform/http/schemas.ts'
import { NeededAtDesk, Timestamp, WithHelp, WithWireName } from '../../platform/operations/fields.ts'
import { operation } from '../../platform/operations/operation.ts'
import { OperatorRequestError } from '../../platform/operator-request-error.ts'
import { pageOf } from '../../platform/page-of.ts'
import { printable } from '../../platform/texts-for-people.ts'
import { answerOrderReport } from '../order-reports/answer-order-report.ts'
import { type ListedReport, listOrderReports } from '../order-reports/list-order-reports.ts'
import { findings } from '../order-reports/order-report.ts'
import { type ProductFacts, productOf } from '../product-facts.ts'
import { changingOrder, findOrderBy, mustFindOrder } from './order-decisions.operations.ts'
import { DeskReport, OrderId, Statuses } from './order-desk.schemas.ts'

const pageReports = 50

const account = WithWireName('account', Nullable(Type.String()))

function describeReport(report: ListedReport): string {
  const { reference, email, kind, recipient, status, reason, reportedAt } = report
  const said = reason === '' ? '' : `: ${reason}`
  return printable(`${reportedAt.toISOString()}  ${reference}  ${kind} to ${recipient}, ${status}  ${email ?? ''}${said}`)
}

type Products = readonly ProductFacts[]

const reads = (products: Products) => [
  operation({
    command: 'order reports',
    summary: 'List the orders that resellers report as not delivered, the longest waiting first',
    input: Type.Object({
      limit: Type.Integer({ minimum: 1, maximum: 1_000, default: 50, description: 'how many at most, up to 1000' }),
    }),
    output: Type.Object({
      reports: Type.Array(
        Type.Object({
          orderId: Uuid(),
          reference: Type.String(),
          email: account,
          kind: Type.String(),
          recipient: Type.String(),
          status: Statuses,
          statusThen: Statuses,
          reason: Type.String(),
          reportedBy: Type.String(),
          reportedAt: Timestamp(),
        }),
      ),
    }),
    act: async ({ db }, _actor, { limit }) => ({ reports: await listOrderReports(db, limit) }),
    text: ({ reports }) => reports.map(describeReport).join('\n') || 'No report waits for an answer.',
  }),
  operation({
    route: 'GET /order-reports',
    operationId: 'deskListOrderReports',
    tag: 'Orders',
    permission: 'see',
    summary: 'Orders reported as not delivered, the longest waiting first; the answered ones, newest answer first',
    input: Type.Object({ state: Type.Optional(OneOf(['waiting', 'answered'])), after: Type.Optional(OrderId) }),
    output: Type.Object(
      {
        reports: Type.Array(
          Type.Object({
            ...DeskReport.properties,
            orderId: Uuid(),
            reference: Type.String(),
            email: account,
            title: Type.String(),
            recipient: Type.String(),
            status: Statuses,
          }),
        ),
        next: Nullable(Uuid()),
      },
      { title: 'DeskOrderReportPage' },
    ),
    async act({ db }, _actor, { state, after }) {
      const list = (most: number) => listOrderReports(db, most, { isAnswered: state === 'answered', after })
      const { rows, next } = await pageOf(pageReports, list, ({ orderId }) => orderId)
      return { reports: rows.map((row) => ({ ...row, title: productOf(products, row.kind).title })), next }
    },
  }),
]

const answering = (products: Products) => [
  operation({
    ...changingOrder,
    isConfirmationNeeded: false,
    command: 'order answer-report <order-id>',
    find: findOrderBy(products),
    route: 'POST /orders/:order_id/answer-report',
    operationId: 'deskAnswerOrderReport',
    permission: 'settle_orders',
    summary: 'Answer such a report; the reseller gets the answer, the order and its money stay as they are',
    input: Type.Object({
      orderId: OrderId,
      answer: WithHelp(
        'what you found out, for the reseller to read',
        Type.String({ minLength: 1, maxLength: 500, pattern: '\\S', description: 'For the reseller to read.' }),
      ),
      found: NeededAtDesk(WithHelp('what became of the order', OneOf(findings))),
    }),
    output: Type.Object({ answered: Type.Literal(true) }, { title: 'DeskReportAnswered' }),
    async act({ db }, { actor }, { orderId, answer, found }) {
      const order = await mustFindOrder(db, orderId)
      if (await answerOrderReport(db, order, { answer: answer.trim(), found, actor })) {
        return { answered: true as const, orderId: order.id, reference: order.reference, answer, found: found ?? null }
      }
      throw new OperatorRequestError(`No report of order ${order.reference} waits for an answer.`)
    },
    printed: Type.Object({
      orderId: Uuid(),
      reference: Type.String(),
      answer: Type.String(),
      found: DeskReport.properties.found,
    }),
    text: () => 'Answered. The reseller gets the answer.',
  }),
]

/** Operations on the orders that resellers report as not delivered. */
export const orderReportOperations = (products: Products) => [...reads(products), ...answering(products)]
