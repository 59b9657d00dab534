import { guardAuditChecks } from './guards/guards.audit.ts'
import type { AuditCheck } from './money/audit.ts'
import { moneyAuditChecks } from './money/money.audit.ts'
import { topUpAuditChecks } from './money/top-ups/top-ups.audit.ts'
import { commissionAuditChecks } from './orders/commission.audit.ts'
import { orderAuditChecks } from './orders/orders.audit.ts'
import { staffAuditChecks } from './people/staff/staff.audit.ts'
import type { Product } from './products/product.ts'
import { products } from './products/products.ts'
import { reportAuditChecks } from './reports/reports.audit.ts'

/** The audit checks of an installation that sells these products. */
export function auditChecksOf(sold: readonly Product[]): readonly AuditCheck[] {
  return [
    ...moneyAuditChecks,
    ...guardAuditChecks,
    ...staffAuditChecks,
    ...topUpAuditChecks,
    ...orderAuditChecks(sold),
    ...commissionAuditChecks,
    ...reportAuditChecks,
    ...sold.flatMap(({ auditChecks }) => auditChecks),
  ]
}

/** The checks of `makola audit` and its timer. */
export const allAuditChecks = auditChecksOf(products)
