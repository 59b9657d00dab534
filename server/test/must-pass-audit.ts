import { allAuditChecks } from '../src/all-audit-checks.ts'
import { runAudit } from '../src/money/audit.ts'
import type { Db } from '../src/platform/database/database.ts'

/**
 * Runs the full audit on a test's database.
 * @throws with the rules that are broken, and by how many rows
 */
export async function mustPassAudit(db: Db): Promise<void> {
  const { checks } = await runAudit(db, allAuditChecks, { isFull: true })
  const broken = Object.entries(checks).filter(([, badRows]) => badRows !== 0)
  if (broken.length > 0) throw new Error(`the audit found ${broken.map(([name, badRows]) => `${name}: ${badRows}`).join(', ')}`)
}
