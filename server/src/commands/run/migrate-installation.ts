import { allChains } from '../../all-chains.ts'
import type { Config } from '../../config.ts'
import { holdRestored } from '../../orders/history/hold-restored.ts'
import { followRestoredServer } from '../../platform/chains/follow-restored-server.ts'
import { oldestServerVersion, readServerFacts } from '../../platform/database/check-server.ts'
import { connectDatabase } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import type { OnLongWorkProgress } from '../../platform/database/long-work/do-long-work.ts'
import { type MigrateOptions, migrate } from '../../platform/database/migrate.ts'
import { appendOperatorLog } from '../../platform/operator-log/append-operator-log.ts'
import { CommandError } from '../frame/command-error.ts'
import { openDatabase } from '../frame/open-database.ts'
import { operatorName, osUser } from '../frame/operator-name.ts'

/** Migrates the database at an owner's address. @returns the names of the migrations that ran now */
export async function migrateDatabase(
  ownerUrl: string,
  options?: MigrateOptions & { readonly dataDir?: string },
): Promise<string[]> {
  const session = { 'makola.os_user': osUser() }
  const db = connectDatabase({ url: ownerUrl, poolSize: 2, applicationName: 'makola migrate', session })
  try {
    const migrations = await migrate(db, options)
    const isRestored = await followRestoredServer(db, allChains)
    if (isRestored) {
      const restored = { noticedBy: 'makola migrate', reason: 'the database was restored into another server' }
      await holdRestored(db, { dataDir: options?.dataDir, ...restored })
    }
    if (migrations.length > 0 || isRestored) {
      const details = { migrations, ...(isRestored && { restored_into_another_server: true }) }
      const act = { actor: operatorName(), action: 'migrate', subject: 'schema', details }
      await inTransaction(db, (tx) => appendOperatorLog(tx, act))
    }
    return migrations
  } finally {
    await db.destroy()
  }
}

/**
 * Migrates the database of this installation; creates an embedded one where there is none.
 * @throws CommandError when the version of PostgreSQL is too old
 */
export async function migrateInstallation(config: Config, onProgress?: OnLongWorkProgress): Promise<string[]> {
  const database = await openDatabase(config, { info: () => undefined, warn: () => undefined })
  try {
    const { version, majorVersion } = await readServerFacts(database.ownerUrl)
    if (majorVersion < oldestServerVersion) {
      throw new CommandError(`The database is PostgreSQL ${version}; Makola needs version ${oldestServerVersion} or newer.`)
    }
    const hasTwoLogins = config.migrateDatabaseUrl !== undefined
    return await migrateDatabase(database.ownerUrl, { hasTwoLogins, dataDir: config.dataDir, ...(onProgress && { onProgress }) })
  } finally {
    await database.stop()
  }
}
