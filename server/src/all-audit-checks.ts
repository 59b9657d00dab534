import { moneyAuditChecks } from './money/money.audit.ts'
import { commissionAuditChecks } from './orders/commission.audit.ts'
import { orderAuditChecks } from './orders/orders.audit.ts'
import { afaAuditChecks } from './products/afa/afa.audit.ts'
import { resultsCheckerAuditChecks } from './products/results-checker/results-checker.audit.ts'
import { smsAuditChecks } from './products/sms/sms.audit.ts'

/** Every rule that `makola audit` and its timer hold the database to. A product with rules of its own adds them here. */
export const allAuditChecks = [
  ...moneyAuditChecks,
  ...orderAuditChecks,
  ...commissionAuditChecks,
  ...resultsCheckerAuditChecks,
  ...afaAuditChecks,
  ...smsAuditChecks,
]
