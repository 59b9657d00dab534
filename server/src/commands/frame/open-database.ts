import type { Logger } from 'pino'
import type { Config } from '../../config.ts'
import { connectDatabase, type DatabaseOptions, type Db } from '../../platform/database/database.ts'
import { applicationRole } from '../../platform/database/migrate.ts'

/** The database of this installation, wherever it is. */
export type InstallationDatabase = {
  /** The address at which one works as the owner of the tables. It is used only to migrate. */
  ownerUrl: string
  /** For processes; with the role `makola_app` in the session when the login is not that role itself. */
  applicationUrl: string
  isEmbedded: boolean
  /** Ends the use of an embedded server; the last process that uses it stops it. */
  stop(): Promise<void>
}

/** Finds the database by DATABASE_URL, or joins or starts the embedded server of DATA_DIR. */
export async function openDatabase(config: Config, log: Pick<Logger, 'info' | 'warn'>): Promise<InstallationDatabase> {
  const { databaseUrl, migrateDatabaseUrl = databaseUrl } = config
  if (databaseUrl !== undefined && migrateDatabaseUrl !== undefined) {
    return { ownerUrl: migrateDatabaseUrl, applicationUrl: databaseUrl, isEmbedded: false, stop: async () => undefined }
  }
  const { startEmbeddedPostgres } = await import('../../platform/database/embedded-postgres.ts')
  const embedded = await startEmbeddedPostgres({ dataDir: config.dataDir, log })
  return { ...embedded, isEmbedded: true }
}

/** Opens a pool that works as the application role. */
export function connectAsApplication(
  url: string,
  options: Pick<DatabaseOptions, 'poolSize' | 'applicationName' | 'session' | 'queryTimeoutMilliseconds'>,
): Db {
  return connectDatabase({ ...options, url, role: applicationRole })
}
