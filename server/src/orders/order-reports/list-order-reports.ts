import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import type { OrderStatus } from '../order-life-cycle.ts'
import { type OrderReport, reportColumns } from './order-report.ts'

/** A report with the order that it is about. */
export type ListedReport = OrderReport & {
  readonly reference: string
  readonly kind: string
  readonly recipient: string
  /** The state of the order now. */
  readonly status: OrderStatus
  readonly email: string | null
}

/** Lists the reports that wait for an answer, the oldest first: it has waited longest. */
export async function listOrderReports(db: Db, limit: number): Promise<ListedReport[]> {
  const { rows } = await sql<ListedReport>`
    select ${reportColumns}, orders.reference, orders.kind, orders.recipient, orders.status, accounts.email
    from order_reports join orders on orders.id = order_reports.order_id
    left join accounts on accounts.id = order_reports.account_id
    where order_reports.answered_at is null
    order by order_reports.reported_at, order_reports.order_id limit ${limit}`.execute(db)
  return rows
}
