import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { type Config, ConfigError, readConfig } from '../../../config.ts'
import { connectAsApplication, openDatabase } from '../../frame/open-database.ts'
import { examineDatabase } from './examine-database.ts'
import { examineMessages, examineWebhooks } from './examine-messages.ts'
import { examineSuppliers } from './examine-suppliers.ts'
import { examineCertificate, examineDisk, examinePublicAddress } from './examine-surroundings.ts'
import { examineTestSide } from './examine-test-side.ts'
import { examineTopic, type Finding } from './finding.ts'

const silentLog = { info: () => undefined, warn: () => undefined }

/** Looks for the folder of the embedded database first, because connecting would create a missing one. */
async function hasDatabase(config: Config): Promise<boolean> {
  if (config.databaseUrl !== undefined) return true
  return access(join(config.dataDir, 'postgres')).then(
    () => true,
    () => false,
  )
}

async function examineWhatIsStored(config: Config): Promise<Finding[]> {
  if (!(await hasDatabase(config))) {
    const message = `There is no database in ${config.dataDir} yet. \`makola start\` or \`makola migrate\` makes one.`
    return [{ level: 'problem', topic: 'database', message }]
  }
  const database = await openDatabase(config, silentLog)
  const db = connectAsApplication(database.applicationUrl, { poolSize: 4, applicationName: 'makola doctor' })
  try {
    const findings = await examineDatabase(config, database.applicationUrl, db)
    const isReadable = findings.every(({ topic, level }) => level !== 'problem' || !['schema', 'connections'].includes(topic))
    if (!isReadable) return findings
    const suppliers = await examineTopic('suppliers', () => examineSuppliers(config, db))
    const messages = await examineTopic('alerts', () => examineMessages(config, db))
    const webhooks = await examineTopic('webhooks', () => examineWebhooks(db))
    const testSide = await examineTopic('test side', () => examineTestSide(config, database, db))
    return [...findings, ...suppliers, ...messages, ...webhooks, ...testSide]
  } finally {
    await db.destroy()
    await database.stop()
  }
}

/** Runs all checks of `makola doctor`, in the order in which they are shown. */
export async function examineInstallation(environment?: NodeJS.ProcessEnv): Promise<Finding[]> {
  let config: Config
  try {
    config = readConfig(environment)
  } catch (error) {
    if (error instanceof ConfigError) return [{ level: 'problem', topic: 'configuration', message: error.message }]
    throw error
  }
  const findings = await Promise.all([
    examineTopic('database', () => examineWhatIsStored(config)),
    examineTopic('public address', () => examinePublicAddress(config)),
    examineTopic('certificate', () => examineCertificate(config)),
    examineTopic('disk space', () => examineDisk(config)),
  ])
  return [{ level: 'ok', topic: 'configuration', message: 'The environment can be read.' }, ...findings.flat()]
}
