import { sql } from 'kysely'
import type { Tx } from '../platform/database/database.ts'
import { firstIdAt } from '../platform/database/first-id-at.ts'
import { type ReconciledAttempt, type ReconcilingWith, readReconciledAttempts } from './read-reconciled-attempts.ts'

const pageSize = 1_000

/** Our processes' clocks make the ids, the database's clock the times. The two may differ by this much. */
const clockToleranceMilliseconds = 3_600_000

/** Lists the delivered attempts of a period that a statement does not bill, page by page along their ids. */
export async function listUnbilledAttempts(
  tx: Tx,
  expecting: ReconcilingWith,
  period: { readonly from: Date; readonly to: Date },
  billed: ReadonlySet<string>,
): Promise<ReconciledAttempt[]> {
  const end = firstIdAt(period.to.getTime() + clockToleranceMilliseconds)
  const found: ReconciledAttempt[] = []
  let after = firstIdAt(period.from.getTime() - clockToleranceMilliseconds)
  for (;;) {
    const page = await readReconciledAttempts(
      tx,
      expecting,
      sql`attempts.id > ${after}::uuid and attempts.id < ${end}::uuid and attempts.outcome = 'delivered'
        and attempts.created_at >= ${period.from} and attempts.created_at <= ${period.to}`,
      pageSize,
    )
    found.push(...page.filter((attempt) => !billed.has(attempt.attemptId)))
    const last = page.at(-1)
    if (!last || page.length < pageSize) return found
    after = last.attemptId
  }
}
