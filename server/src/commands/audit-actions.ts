import process from 'node:process'
import { allAuditChecks } from '../all-audit-checks.ts'
import { readConfig } from '../config.ts'
import { runAudit } from '../money/audit.ts'
import { printResult } from './frame/print-result.ts'
import { withDatabase } from './frame/with-database.ts'

/** `makola audit`. */
export async function runAuditCommand(options: { isFull: boolean }): Promise<void> {
  const report = await withDatabase(readConfig(), (db) => runAudit(db, allAuditChecks, options))
  const findings = Object.entries(report.checks).filter(([, badRows]) => badRows !== 0)
  const lines = findings.map(([name, badRows]) => `${name.replaceAll('_', ' ')}: ${badRows}`)
  const summary = report.ok ? 'The books are in order:' : 'The books are NOT in order. Rows that break a rule:'
  const checked = report.ok ? `${Object.keys(report.checks).length} rules hold for every row.` : lines.join('\n')
  printResult(report, `${summary}\n${checked}`)
  if (!report.ok) process.exitCode = 1
}
