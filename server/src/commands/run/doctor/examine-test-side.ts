import { sql } from 'kysely'
import { allAuditChecks } from '../../../all-audit-checks.ts'
import type { Config } from '../../../config.ts'
import { runAudit } from '../../../money/audit.ts'
import { alarmText } from '../../../notices/raise-alarm.ts'
import type { Db } from '../../../platform/database/database.ts'
import { checkSchema } from '../../../platform/database/migrate.ts'
import { isTestDatabase } from '../../../platform/database/stamp-mode.ts'
import { connectAsApplication, type InstallationDatabase } from '../../frame/open-database.ts'
import { askApi } from '../ask-role.ts'
import { testDatabaseOf } from '../start/start-test-side.ts'
import { type Finding, messageOf } from './finding.ts'

const topic = 'test side'
const warn = (message: string): Finding => ({ level: 'warning', topic, message })

/** Checks whether an API and a worker use the test side's database, and whether its API answers. */
async function examineProcesses({ testSide }: Config, testDb: Db): Promise<Finding[]> {
  const { rows } = await sql<{ api: boolean; worker: boolean }>`
    select coalesce(bool_or(application_name like 'makola api %'), false) as api,
      coalesce(bool_or(application_name = 'makola worker'), false) as worker
    from pg_stat_activity where datname = current_database()`.execute(testDb)
  const { api = false, worker = false } = rows[0] ?? {}
  const start = 'Start what is missing; `makola start` with TEST_MODE=on does it by itself, and its log says why it could not.'
  const findings: Finding[] = []
  if (!api) findings.push(warn(`No API works on it, so test keys are answered 503. ${start}`))
  if (!worker) findings.push(warn(`No worker works on it, so test orders are never delivered. ${start}`))
  if (!api || !testSide) return findings
  const { hostname: host, port } = new URL(testSide.apiUrl)
  const status = await askApi({ tls: { kind: 'proxy', trustedProxies: [] }, host, port: Number(port || 80) })
  if (status === 200) return findings
  const answer = status === 0 ? 'nobody answers there' : `it answers ${status}`
  return [
    ...findings,
    warn(`TEST_API_URL=${testSide.apiUrl} is not ready for test keys: ${answer}. It must be the PORT of its API.`),
  ]
}

/** Both sides should run the same version of Makola, so they should have the same migrations. */
async function examineMigrations(db: Db, testDb: Db): Promise<Finding[]> {
  try {
    await checkSchema(testDb)
  } catch (error) {
    const how = '`makola start` migrates it by itself; else run `DATABASE_URL=$TEST_DATABASE_URL makola migrate`.'
    return [warn(`Its database is not that of this version: ${messageOf(error)} ${how}`)]
  }
  const namesOf = async (side: Db) => (await sql<{ name: string }>`select name from schema_migrations`.execute(side)).rows
  const own = new Set((await namesOf(db)).map(({ name }) => name))
  const newer = (await namesOf(testDb)).filter(({ name }) => !own.has(name))
  if (newer.length === 0) return []
  return [
    warn(`Its database is of a newer version than yours: ${newer.map(({ name }) => name).join(', ')}. Upgrade both together.`),
  ]
}

async function examineContents(testDb: Db): Promise<Finding[]> {
  // Reads only alarms about paused routes. Alarms about costs mean nothing on the test side, whose costs are invented.
  const alarms = await testDb
    .selectFrom('alarms')
    .select(alarmText.as('message'))
    .where('cleared_at', 'is', null)
    .where('name', '=', 'route_paused')
    .execute()
  const { ok, checks } = await runAudit(testDb, allAuditChecks, { isFull: false })
  const found = alarms.map(({ message }) => warn(`Its alarm: ${message}`))
  if (ok) return found
  const broken = Object.entries(checks).filter(([, badRows]) => badRows !== 0)
  const list = broken.map(([name, badRows]) => `${name.replaceAll('_', ' ')}: ${badRows}`).join(', ')
  const message = `Rows of its books break a rule: ${list}. \`DATABASE_URL=$TEST_DATABASE_URL makola audit --full\` counts all of them.`
  return [...found, { level: 'problem', topic, message }]
}

/** Checks the test side: its database, its processes, and the rules of the audit. Finds nothing where test keys are off. */
export async function examineTestSide(config: Config, main: InstallationDatabase, db: Db): Promise<Finding[]> {
  const url = config.testSide?.databaseUrl ?? (config.hasTestSide ? testDatabaseOf(config, main).applicationUrl : undefined)
  if (url === undefined) return []
  const testDb = connectAsApplication(url, { poolSize: 2, applicationName: 'makola doctor' })
  try {
    await sql`select 1`.execute(testDb)
  } catch (error) {
    await testDb.destroy()
    const how =
      'Test keys are answered 503 until then, and sales go on. `makola start` with TEST_MODE=on makes it; else look at TEST_DATABASE_URL.'
    return [warn(`Its database cannot be used: ${messageOf(error)}. ${how}`)]
  }
  try {
    const migrations = await examineMigrations(db, testDb)
    if (migrations.length > 0) return migrations
    if (!(await isTestDatabase(testDb))) {
      const message = 'Its database is not stamped as that of a test side. Give the test side one that nothing else has used.'
      return [{ level: 'problem', topic, message }]
    }
    const findings = [...(await examineProcesses(config, testDb)), ...(await examineContents(testDb))]
    if (findings.length > 0) return findings
    const message = `It runs on a schema of this version, and ${allAuditChecks.length} rules hold for its books of the last two days.`
    return [{ level: 'ok', topic, message }]
  } finally {
    await testDb.destroy()
  }
}
