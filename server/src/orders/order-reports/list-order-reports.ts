import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import type { OrderStatus } from '../order-life-cycle.ts'
import { type OrderReport, reportColumns } from './order-report.ts'

export type ListedReport = OrderReport & {
  readonly reference: string
  readonly kind: string
  readonly recipient: string
  /** The state of the order now. */
  readonly status: OrderStatus
  readonly email: string | null
}

/** Waiting or answered reports, after the report of the order with the id `after`. */
export type ReportQuery = { readonly isAnswered?: boolean; readonly after?: string | undefined }

/** Waiting reports come oldest first. Answered reports come with the newest answer first. */
export async function listOrderReports(
  db: Db,
  limit: number,
  { isAnswered = false, after }: ReportQuery = {},
): Promise<ListedReport[]> {
  const place = isAnswered ? sql`order_reports.answered_at` : sql`order_reports.reported_at`
  const [direction, isBehind] = isAnswered ? [sql`desc`, sql`<`] : [sql`asc`, sql`>`]
  const last = sql`select ${place}, order_reports.order_id from order_reports where order_id = ${after ?? null}::uuid`
  const { rows } = await sql<ListedReport>`
    select ${reportColumns}, orders.reference, orders.kind, orders.recipient, orders.status, accounts.email
    from order_reports join orders on orders.id = order_reports.order_id
    left join accounts on accounts.id = order_reports.account_id
    where order_reports.answered_at is ${isAnswered ? sql`not null` : sql`null`}
      and (${after ?? null}::uuid is null or (${place}, order_reports.order_id) ${isBehind} (${last}))
    order by ${place} ${direction}, order_reports.order_id ${direction} limit ${limit}`.execute(db)
  return rows
}
