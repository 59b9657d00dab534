import process from 'node:process'
import { sql } from 'kysely'
import { allAuditChecks, openAuditBook } from '../all-audit-checks.ts'
import { allChains } from '../all-chains.ts'
import { readConfig } from '../config.ts'
import { type AuditReport, runAudit } from '../money/audit.ts'
import type { Db } from '../platform/database/database.ts'
import { showMoment } from '../platform/texts-for-people.ts'
import { UsageError } from './frame/command-error.ts'
import { printResult } from './frame/print-result.ts'
import { withDatabase, withDatabaseAndKeys } from './frame/with-database.ts'
import { type ChainOptions, runChainVerification } from './show-chains.ts'

export type AuditOptions = ChainOptions & { full?: true; recent?: true; chain?: true }

type Audited = { readonly report: AuditReport; readonly provenAt?: Date }

/** Checks every row. Needs no key, because it does not rely on the results of earlier audits. */
const auditFully = () =>
  withDatabase(readConfig(), async (db): Promise<Audited> => ({ report: await runAudit(db, allAuditChecks, { isFull: true }) }))

/** A full audit of this many transfers takes about half a minute. */
const fewTransfers = 500_000

async function hasFewTransfers(db: Db): Promise<boolean> {
  const { rows } = await sql`select from transfers offset ${fewTransfers} limit 1`.execute(db)
  return rows.length === 0
}

const auditSinceProof = () =>
  withDatabaseAndKeys(readConfig(), async (db, secretsKeys): Promise<Audited> => {
    const book = openAuditBook(db, secretsKeys, allAuditChecks)
    const { proof } = await book.read()
    const report = await runAudit(db, allAuditChecks, { isFull: proof === undefined, book })
    return proof ? { report, provenAt: proof.provenAt } : { report }
  })

export async function runAuditCommand(options: AuditOptions): Promise<void> {
  if ([options.chain, options.full, options.recent].filter(Boolean).length > 1) {
    throw new UsageError('Only one of --chain, --full and --recent.')
  }
  if (!options.chain && (options.from ?? options.noted ?? options.heads)) {
    throw new UsageError('--from, --noted and --heads go with --chain.')
  }
  if (options.chain) return runChainVerification(allChains, options)
  const isFull = options.full || (!options.recent && (await withDatabase(readConfig(), hasFewTransfers)))
  const { report, provenAt } = await (isFull ? auditFully() : auditSinceProof())
  const findings = Object.entries(report.checks).filter(([, badRows]) => badRows !== 0)
  const lines = findings.map(([name, badRows]) => `${name.replaceAll('_', ' ')}: ${badRows}`)
  const summary = report.ok ? 'The books are in order:' : 'The books are NOT in order. Rows that break a rule:'
  const looked = provenAt
    ? `everything that is new since ${showMoment(provenAt)}. Rows of before were proven; \`--full\` looks at them again.`
    : 'every row.'
  const checked = report.ok ? `${Object.keys(report.checks).length} rules hold for ${looked}` : lines.join('\n')
  printResult(provenAt ? { ...report, proven_at: provenAt } : report, `${summary}\n${checked}`)
  if (!report.ok) process.exitCode = 1
}
