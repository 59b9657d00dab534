import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import type { OrderStatus } from '../order-life-cycle.ts'

/** What the operator can have found out about an order that was reported. */
export const findings = ['delivered', 'not_delivered', 'unclear'] as const
export type ReportFinding = (typeof findings)[number]

/** What a reseller said of an order that did not arrive, and what the operator answered. */
export type OrderReport = {
  readonly orderId: string
  readonly accountId: string
  /** What the reseller wrote; empty when it wrote nothing. */
  readonly reason: string
  /** The state that the order was in when it was reported. */
  readonly statusThen: OrderStatus
  readonly reportedBy: string
  readonly reportedAt: Date
  /** The operator's answer. This field and the three below are null until the operator answers. */
  readonly answer: string | null
  /** What the operator found out. Null without an answer, and in old answers, for which it was not asked. */
  readonly found: ReportFinding | null
  readonly answeredBy: string | null
  readonly answeredAt: Date | null
}

/** The columns of a report, for statements that read whole reports. */
export const reportColumns = sql`
  order_reports.order_id as "orderId", order_reports.account_id as "accountId", order_reports.reason,
  order_reports.status_then as "statusThen", order_reports.reported_by as "reportedBy",
  order_reports.reported_at as "reportedAt", order_reports.answer, order_reports.found, order_reports.answered_by as "answeredBy",
  order_reports.answered_at as "answeredAt"`

/** Reads what was said of an order; undefined when nobody reported it. */
export async function findOrderReport(db: Db, orderId: string): Promise<OrderReport | undefined> {
  const { rows } = await sql<OrderReport>`select ${reportColumns} from order_reports where order_id = ${orderId}`.execute(db)
  return rows[0]
}
