import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import type { OrderStatus } from '../order-life-cycle.ts'

export const findings = ['delivered', 'not_delivered', 'unclear'] as const
export type ReportFinding = (typeof findings)[number]

/** A reseller's report of an order that did not arrive, and the operator's answer. */
export type OrderReport = {
  readonly orderId: string
  readonly accountId: string
  /** The reseller's text; may be empty. */
  readonly reason: string
  /** The order's status at the time of the report. */
  readonly statusThen: OrderStatus
  readonly reportedBy: string
  readonly reportedAt: Date
  /** The operator's answer. This field and the three below are null until the operator answers. */
  readonly answer: string | null
  /** The operator's finding. Null without an answer, and in old answers, which had none. */
  readonly found: ReportFinding | null
  readonly answeredBy: string | null
  readonly answeredAt: Date | null
}

export const reportColumns = sql`
  order_reports.order_id as "orderId", order_reports.account_id as "accountId", order_reports.reason,
  order_reports.status_then as "statusThen", order_reports.reported_by as "reportedBy",
  order_reports.reported_at as "reportedAt", order_reports.answer, order_reports.found, order_reports.answered_by as "answeredBy",
  order_reports.answered_at as "answeredAt"`

export async function findOrderReport(db: Db, orderId: string): Promise<OrderReport | undefined> {
  const { rows } = await sql<OrderReport>`select ${reportColumns} from order_reports where order_id = ${orderId}`.execute(db)
  return rows[0]
}
