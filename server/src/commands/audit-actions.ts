import process from 'node:process'
import { allAuditChecks } from '../all-audit-checks.ts'
import { allChains } from '../all-chains.ts'
import { readConfig } from '../config.ts'
import { runAudit } from '../money/audit.ts'
import { UsageError } from './frame/command-error.ts'
import { printResult } from './frame/print-result.ts'
import { withDatabase } from './frame/with-database.ts'
import { type ChainOptions, runChainVerification } from './show-chains.ts'

export type AuditOptions = ChainOptions & { recent?: true; chain?: true }

export async function runAuditCommand(options: AuditOptions): Promise<void> {
  if (options.chain && options.recent) throw new UsageError('Either --chain or --recent.')
  if (!options.chain && (options.from ?? options.noted ?? options.heads)) {
    throw new UsageError('--from, --noted and --heads go with --chain.')
  }
  if (options.chain) return runChainVerification(allChains, options)
  const isFull = options.recent !== true
  const report = await withDatabase(readConfig(), (db) => runAudit(db, allAuditChecks, { isFull }))
  const findings = Object.entries(report.checks).filter(([, badRows]) => badRows !== 0)
  const lines = findings.map(([name, badRows]) => `${name.replaceAll('_', ' ')}: ${badRows}`)
  const summary = report.ok ? 'The books are in order:' : 'The books are NOT in order. Rows that break a rule:'
  const checked = report.ok ? `${Object.keys(report.checks).length} rules hold for every row.` : lines.join('\n')
  printResult(report, `${summary}\n${checked}`)
  if (!report.ok) process.exitCode = 1
}
