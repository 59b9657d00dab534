import type { ComposeReport } from '../people/mails/composed-mail.ts'
import { queuePersonMail } from '../people/mails/queue-person-mail.ts'
import type { Db } from '../platform/database/database.ts'
import type { BackgroundShare } from '../platform/housekeeping/background-share.ts'
import type { Timer } from '../platform/housekeeping/run-timers.ts'
import type { Product } from '../products/product.ts'
import { rollUp } from '../reports/roll-up.ts'
import { composeReport } from '../reports/schedules/compose-report.ts'
import { queueDueReports } from '../reports/schedules/queue-due-reports.ts'
import { countSupplierHours } from '../reports/suppliers/count-supplier-hours.ts'

/** The statements of `auditDb` may take long. */
export type ReportWork = { readonly db: Db; readonly auditDb: Db; readonly share: BackgroundShare }

/**
 * The timers that keep the daily sums and send scheduled reports. Today's sums may be at most a minute old, so they are counted
 * every half minute.
 */
export function reportTimers({ db, auditDb, share }: ReportWork, products: readonly Product[]): Timer[] {
  return [
    {
      name: 'reports',
      everySeconds: 30,
      isExclusive: true,
      isBackground: true,
      run: async () => {
        await rollUp(auditDb, products, share)
      },
    },
    {
      // Suppliers' figures of the present hour may be about a minute old.
      name: 'supplier hours',
      everySeconds: 60,
      isExclusive: true,
      isBackground: true,
      run: async () => {
        await countSupplierHours(auditDb, share)
      },
    },
    {
      name: 'report mails',
      everySeconds: 30,
      isExclusive: false,
      run: () => queueDueReports(db, (tx, { email, ...report }) => queuePersonMail(tx, 'report', email, { report })),
    },
  ]
}

export function composeReportOf(auditDb: Db): ComposeReport {
  return (scheduleId, lastDay) => composeReport(auditDb, scheduleId, lastDay)
}
