import process from 'node:process'
import { allAuditChecks, openAuditBook } from '../all-audit-checks.ts'
import { allChains } from '../all-chains.ts'
import { readConfig } from '../config.ts'
import { type AuditReport, runAudit } from '../money/audit.ts'
import { showMoment } from '../platform/show-moment.ts'
import { UsageError } from './frame/command-error.ts'
import { printResult } from './frame/print-result.ts'
import { withDatabase } from './frame/with-database.ts'
import { withDatabaseAndKeys } from './frame/with-database-and-keys.ts'
import { type ChainOptions, runChainVerification } from './show-chains.ts'

export type AuditOptions = ChainOptions & { full?: true; chain?: true }

type Audited = { readonly report: AuditReport; readonly provenAt?: Date }

/** Looks at everything; needs no key, because it rests on nothing that was proven. */
const auditFully = () =>
  withDatabase(readConfig(), async (db): Promise<Audited> => ({ report: await runAudit(db, allAuditChecks, { isFull: true }) }))

const auditSinceProof = () =>
  withDatabaseAndKeys(readConfig(), async (db, secretsKeys): Promise<Audited> => {
    const book = openAuditBook(db, secretsKeys, allAuditChecks)
    const { proof } = await book.read()
    const report = await runAudit(db, allAuditChecks, { isFull: proof === undefined, book })
    return proof ? { report, provenAt: proof.provenAt } : { report }
  })

export async function runAuditCommand(options: AuditOptions): Promise<void> {
  if (options.chain && options.full) throw new UsageError('Either --chain or --full.')
  if (!options.chain && (options.from ?? options.noted ?? options.heads)) {
    throw new UsageError('--from, --noted and --heads go with --chain.')
  }
  if (options.chain) return runChainVerification(allChains, options)
  const { report, provenAt } = await (options.full ? auditFully() : auditSinceProof())
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
