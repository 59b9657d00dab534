import { guardAuditChecks } from './guards/guards.audit.ts'
import type { AuditCheck } from './money/audit.ts'
import { type ChangedIds, openProofBook, type ProofBook } from './money/audit-pieces/proof-book.ts'
import { moneyAuditChecks } from './money/money.audit.ts'
import { topUpAuditChecks } from './money/top-ups/top-ups.audit.ts'
import { transfersChain } from './money/transfers-chain.ts'
import { commissionAuditChecks } from './orders/commission.audit.ts'
import { orderEventsChain } from './orders/order-events-chain.ts'
import { orderAuditChecks } from './orders/orders.audit.ts'
import { staffAuditChecks } from './people/staff/staff.audit.ts'
import type { Db } from './platform/database/database.ts'
import type { SecretsKeys } from './platform/secrets/secrets-keys.ts'
import type { Product } from './products/product.ts'
import { products } from './products/products.ts'
import { reportAuditChecks } from './reports/reports.audit.ts'
import { testSideAuditChecks } from './test-side/test-side.audit.ts'

/** Every rule for an installation that sells these products. */
export function auditChecksOf(sold: readonly Product[]): readonly AuditCheck[] {
  return [
    ...moneyAuditChecks,
    ...guardAuditChecks,
    ...staffAuditChecks,
    ...testSideAuditChecks,
    ...topUpAuditChecks,
    ...orderAuditChecks(sold),
    ...commissionAuditChecks,
    ...reportAuditChecks,
    ...sold.flatMap(({ auditChecks }) => auditChecks),
  ]
}

/** Every rule of `makola audit` and its timer. */
export const allAuditChecks = auditChecksOf(products)

/**
 * Tells the audit where to find changes: a changed order has a new event or transfer, an ended proposal or top-up has the time
 * of its end.
 */
const changedIds: ChangedIds = {
  chains: [transfersChain, orderEventsChain],
  tables: [
    { name: 'approvals', endedAt: 'decided_at' },
    { name: 'top_ups', endedAt: 'ended_at' },
  ],
}

/** Opens the record of what audits have proved. */
export const openAuditBook = (db: Db, secretsKeys: SecretsKeys, checks: readonly AuditCheck[]): ProofBook =>
  openProofBook(db, { secretsKeys, rules: checks.map(({ name }) => name), changed: changedIds })
