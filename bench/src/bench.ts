import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { cpus, tmpdir, totalmem } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { sql } from 'kysely'
import { buildPrograms } from '../../server/bin/build-programs.ts'
import { allAuditChecks } from '../../server/src/all-audit-checks.ts'
import { runAudit } from '../../server/src/money/audit.ts'
import { connectDatabase, type Db } from '../../server/src/platform/database/database.ts'
import { startEmbeddedPostgres } from '../../server/src/platform/database/embedded-postgres.ts'
import { migrate } from '../../server/src/platform/database/migrate.ts'
import { allParts } from './all-parts.ts'
import { type Bench, createServers } from './bench-servers.ts'
import { openShop } from './open-shop.ts'
import type { Findings } from './parts/part.ts'
import { type AskedBench, readBenchOptions } from './read-bench-options.ts'
import { printReport, type Report, renderReport } from './report/report.ts'

/** Number of wallets for the load of our intake; the baselines get as many of their own. */
const accountCount = 1_000

const say = (text: string) => process.stderr.write(`${text}\n`)

/** Fails the run when the audit finds a fault, because the figures would be worthless. */
async function audit(db: Db, after: string): Promise<void> {
  const report = await runAudit(db, allAuditChecks, { isFull: true })
  if (!report.ok) throw new Error(`after ${after} the audit found ${JSON.stringify(report.checks)}`)
}

async function describeMachine(db: Db): Promise<Record<string, string>> {
  const { rows } = await sql<{ version: string; fsync: string; commit: string }>`
    select current_setting('server_version') as version, current_setting('fsync') as fsync,
      current_setting('synchronous_commit') as commit`.execute(db)
  const [row] = rows
  return {
    processor: `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}`,
    memory: `${Math.round(totalmem() / 2 ** 30)} GB`,
    node: process.version,
    postgresql: `${row?.version}, fsync ${row?.fsync}, synchronous_commit ${row?.commit}`,
  }
}

function reportOf(startedAt: Date, machine: Report['machine'], { options }: AskedBench, found: readonly Findings[]): Report {
  return {
    startedAt: startedAt.toISOString(),
    machine,
    options: { ...options, isQuick: String(options.isQuick), accounts: accountCount },
    ratios: found.flatMap(({ ratios = [] }) => ratios),
    costs: found.flatMap(({ costs = [] }) => costs),
    figures: Object.assign({}, ...found.map(({ figures }) => figures)) as Report['figures'],
    plots: found.flatMap(({ plots = [] }) => plots),
  }
}

async function writeReport(folder: string, report: Report): Promise<void> {
  await mkdir(resolve(folder), { recursive: true })
  await writeFile(join(folder, 'bench.json'), `${JSON.stringify(report, null, 2)}\n`)
  await writeFile(join(folder, 'bench.html'), renderReport(report))
}

/**
 * Runs the parts one after another, with an audit after each; a quick run is audited once, at its end. A run that breaks off
 * keeps the audited results.
 */
async function measureParts(bench: Bench, asked: AskedBench): Promise<void> {
  const startedAt = new Date()
  const machine = await describeMachine(bench.db)
  const found: Findings[] = []
  for (const part of asked.parts) {
    const secondsSoFar = Math.round((Date.now() - startedAt.getTime()) / 1_000)
    say(`${part.name}: ${part.measures} (after ${secondsSoFar} s)`)
    found.push(await part.run(bench))
    if (asked.options.isQuick && part !== asked.parts.at(-1)) continue
    const auditedFrom = performance.now()
    await audit(bench.db, part.name)
    say(`  audited in ${((performance.now() - auditedFrom) / 1_000).toFixed(1)} s`)
    await writeReport(asked.folder, reportOf(startedAt, machine, asked, found))
  }
  say(`measured in ${Math.round((Date.now() - startedAt.getTime()) / 1_000)} s`)
  const report = printReport(reportOf(startedAt, machine, asked, found))
  process.stdout.write(`${report}\n\nThe plots are in ${join(asked.folder, 'bench.html')}.\n`)
}

/** Runs the bench on a database in a temporary folder, which is removed at the end. */
async function main(asked: AskedBench): Promise<void> {
  // Measures the programs as they are installed.
  await buildPrograms()
  const dataDir = await mkdtemp(join(tmpdir(), 'makola-bench-'))
  const postgres = await startEmbeddedPostgres({ dataDir, log: { info: () => undefined, warn: say } })
  const db = connectDatabase({ url: postgres.ownerUrl, poolSize: 2, applicationName: 'makola bench' })
  // The first line of PostgreSQL's lock file is its process id.
  const postgresPid = Number.parseInt(await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10)
  const servers = createServers({ dataDir, databaseUrl: postgres.applicationUrl, postgresPid })
  try {
    await migrate(db)
    const shop = await openShop(db, 2 * accountCount)
    const [accounts, baselineAccounts] = [shop.slice(0, accountCount), shop.slice(accountCount)]
    const { options } = asked
    const { applicationUrl: databaseUrl, ownerUrl } = postgres
    await measureParts({ options, db, dataDir, ownerUrl, databaseUrl, accounts, baselineAccounts, ...servers, say }, asked)
  } finally {
    await servers.stopServers()
    await db.destroy()
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

function readCommandLine(): AskedBench | undefined {
  try {
    return readBenchOptions(process.argv.slice(2), allParts)
  } catch (error) {
    say((error as Error).message)
    process.exitCode = 2
    return undefined
  }
}

const asked = readCommandLine()
if (asked) await main(asked)
