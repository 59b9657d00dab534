import process from 'node:process'
import { sql } from 'kysely'
import type { Config } from '../../../config.ts'
import { alarmText } from '../../../notices/raise-alarm.ts'
import { checkApplicationRole } from '../../../platform/database/check-application-role.ts'
import { oldestServerVersion, readServerFacts } from '../../../platform/database/check-server.ts'
import { checkSessions } from '../../../platform/database/check-sessions.ts'
import type { Db } from '../../../platform/database/database.ts'
import { describeLoginReach } from '../../../platform/database/describe-login-reach.ts'
import { checkSchema } from '../../../platform/database/migrate.ts'
import { findOpenGap } from '../../../platform/history/gaps.ts'
import { describeUnsharedLimits, listApiProcesses } from '../../../platform/http/limits/api-processes.ts'
import { listTablesWithoutNextPartition } from '../../../platform/partitions/partitions.ts'
import { checkSecretsKeys } from '../../../platform/secrets/check-secrets-keys.ts'
import { loadSecretsKeys } from '../../../platform/secrets/load-secrets-keys.ts'
import { describeMigration } from '../upgrade/describe-forecast.ts'
import { forecastMigrations, listUnreadSettings } from '../upgrade/forecast-upgrade.ts'
import { readOwnNeeds } from '../upgrade/release-needs.ts'
import { examineReplica } from './examine-replica.ts'
import { examineBackups, examineGrowth, examineVacuum } from './examine-storage.ts'
import { examineTopic, type Finding } from './finding.ts'

/**
 * A larger difference between this clock and the database's is reported. Leases and prices follow the database's clock; logs,
 * certificates and the times in ids follow this one.
 */
const clockToleranceSeconds = 5

async function examineServer(url: string): Promise<Finding[]> {
  const topic = 'database'
  const { version, majorVersion, notDurable } = await readServerFacts(url)
  const isNewEnough = majorVersion >= oldestServerVersion
  const durability: Finding =
    notDurable.length === 0
      ? { level: 'ok', topic: 'durability', message: 'fsync, full_page_writes and synchronous_commit are on.' }
      : { level: 'problem', topic: 'durability', message: `A crash could lose acknowledged orders: ${notDurable.join(', ')}.` }
  return [
    isNewEnough
      ? { level: 'ok', topic, message: `PostgreSQL ${version} answers.` }
      : {
          level: 'problem',
          topic,
          message: `PostgreSQL ${version} is too old; version ${oldestServerVersion} or newer is needed.`,
        },
    durability,
  ]
}

async function examineClock(db: Db): Promise<Finding[]> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db)
  const seconds = Math.abs(Date.now() - (rows[0]?.now.getTime() ?? 0)) / 1000
  if (seconds <= clockToleranceSeconds) return []
  const message = `The clocks of this machine and of the database differ by ${Math.round(seconds)} s.`
  return [{ level: 'warning', topic: 'clock', message }]
}

async function examineMode(config: Config, db: Db): Promise<Finding[]> {
  const topic = 'mode'
  const row = await db.selectFrom('installation').select('mode').executeTakeFirst()
  const mode = config.testSideOf ? 'test' : config.suppliers === 'live' ? 'live' : 'simulated'
  if (!row) return [{ level: 'ok', topic, message: `The database is not stamped yet; the first start makes it ${mode}.` }]
  if (row.mode === mode)
    return [{ level: 'ok', topic, message: `The database is ${mode}, as SUPPLIERS=${config.suppliers} says.` }]
  return [{ level: 'problem', topic, message: `The database is ${row.mode}, but SUPPLIERS=${config.suppliers}.` }]
}

/** Only checks the keys. Unlike a first start, it stores no text for later checks. */
async function examineSecrets(config: Config, db: Db): Promise<Finding[]> {
  const topic = 'secrets'
  const canary = await db.selectFrom('secret_canaries').select('key_id').executeTakeFirst()
  if (!canary && config.secretsKey === undefined && config.databaseUrl === undefined) {
    return [{ level: 'ok', topic, message: 'Nothing is sealed yet; the first start makes a key in DATA_DIR.' }]
  }
  const keys = await loadSecretsKeys(config)
  if (canary) await checkSecretsKeys(db, keys)
  return [{ level: 'ok', topic, message: 'Secrets open with the key given. Keep a copy of it apart from the database.' }]
}

/** Reads how the running processes count requests. The configuration of this command applies only to the next start. */
async function examineLimits(config: Config, db: Db): Promise<Finding[]> {
  const topic = 'limits'
  const processes = await listApiProcesses(db)
  const unshared = describeUnsharedLimits(processes)
  if (unshared !== undefined) return [{ level: 'problem', topic, message: unshared }]
  const stores = new Set(processes.length === 0 ? [config.rateLimitStore] : processes.map(({ store }) => store))
  if (!stores.has('memory')) {
    const message = 'The requests of keys are counted in PostgreSQL, by all API processes together.'
    return [{ level: 'ok', topic, message }]
  }
  const message =
    'The requests of keys are counted in the memory of the one API process (RATE_LIMIT_STORE=memory). Start no other.'
  return [{ level: 'warning', topic, message }]
}

async function examineAlarms(db: Db): Promise<Finding[]> {
  const alarms = await db
    .selectFrom('alarms')
    .select(alarmText.as('message'))
    .where('cleared_at', 'is', null)
    .orderBy('raised_at')
    .execute()
  return alarms.map(({ message }) => ({ level: 'warning', topic: 'alarm', message }))
}

async function examineHistory(db: Db): Promise<Finding[]> {
  const topic = 'history'
  const gap = await findOpenGap(db)
  if (!gap) return [{ level: 'ok', topic, message: 'The history of the database did not go back.' }]
  const message = `Nothing is sold and nothing is sent: ${gap.reason}. \`makola history show\` says what is missing; two people go on with \`makola history accept\`.`
  return [{ level: 'problem', topic, message }]
}

/** With real money: reports the last 30 days' confirmations whose second person is only a name that root could have made up. */
async function examineSecondPeople(db: Db): Promise<Finding[]> {
  const { rows } = await sql<{ count: number; users: string | null }>`
    select count(*)::int as count, string_agg(distinct decided_os_user, ', ') as users from approvals
    where decided_user_named and state = 'done' and decided_at > clock_timestamp() - interval '30 days'
      and exists (select from installation where mode = 'live')`.execute(db)
  const { count, users } = rows[0] ?? { count: 0, users: null }
  if (count === 0) return []
  const message = `In 30 days root confirmed ${count} proposals as ${users}, by SUDO_USER. Whoever is root can write any name there: see that those people really did it, or let people confirm at the desk.`
  return [{ level: 'warning', topic: 'two people', message }]
}

/** Without the partition of the next month no order can be placed at its beginning. */
async function examinePartitions(db: Db): Promise<Finding[]> {
  const topic = 'partitions'
  const tables = await listTablesWithoutNextPartition(db)
  if (tables.length === 0)
    return [{ level: 'ok', topic, message: 'The tables that grow have their partitions for the next month.' }]
  const message = `No partition for the next month: ${tables.join(', ')}. A running worker makes it, or \`makola migrate\`.`
  return [{ level: 'problem', topic, message }]
}

/** Reports the migrations that `makola migrate` would run now. */
async function examineMissingMigrations(db: Db): Promise<Finding[]> {
  const missing = await forecastMigrations(db, (await readOwnNeeds()).migrations)
  return missing.map((migration) => ({ level: 'ok', topic: 'schema', message: describeMigration(migration).join('\n').trim() }))
}

/** The version, and stored settings that it does not read. */
async function examineVersion(db: Db): Promise<Finding[]> {
  const topic = 'version'
  const { version, settings } = await readOwnNeeds()
  const unread = await listUnreadSettings(db, settings)
  return [
    { level: 'ok', topic, message: `Makola ${version} on Node ${process.versions.node}.` },
    ...unread.map((name): Finding => {
      return { level: 'warning', topic, message: `The setting ${name} has a value, and this version does not read it.` }
    }),
  ]
}

/** Checks the server and, if the schema is up to date, the contents of the database. */
export async function examineDatabase(config: Config, url: string, db: Db): Promise<Finding[]> {
  const server = await examineTopic('database', () => examineServer(url))
  const sessions = await examineTopic('connections', async () => {
    await checkSessions(db)
    return []
  })
  if (sessions.length > 0) return [...server, ...sessions]
  const schema = await examineTopic('schema', async () => {
    await checkSchema(db)
    return [{ level: 'ok', topic: 'schema', message: 'The schema is up to date.' }]
  })
  if (schema.some((finding) => finding.level === 'problem')) {
    return [...server, ...schema, ...(await examineTopic('schema', () => examineMissingMigrations(db)))]
  }
  const role = await examineTopic('role', async () => {
    await checkApplicationRole(db)
    const reach = await describeLoginReach(db)
    if (reach !== undefined) return [{ level: 'warning', topic: 'role', message: reach }]
    return [
      { level: 'ok', topic: 'role', message: 'Neither the role that processes work as nor their login can change history.' },
    ]
  })
  const others = await Promise.all([
    examineTopic('version', () => examineVersion(db)),
    examineTopic('clock', () => examineClock(db)),
    examineTopic('mode', () => examineMode(config, db)),
    examineTopic('secrets', () => examineSecrets(config, db)),
    examineTopic('limits', () => examineLimits(config, db)),
    examineTopic('history', () => examineHistory(db)),
    examineTopic('read replica', () => examineReplica(config, db)),
    examineTopic('partitions', () => examinePartitions(db)),
    examineTopic('growth', () => examineGrowth(config, db)),
    examineTopic('backups', () => examineBackups(db)),
    examineTopic('vacuum', () => examineVacuum(db)),
    examineTopic('alarm', () => examineAlarms(db)),
    examineTopic('two people', () => examineSecondPeople(db)),
  ])
  return [...server, ...schema, ...role, ...others.flat()]
}
