import type { Logger } from 'pino'
import type { Config } from '../../config.ts'
import { connectDatabase, type DatabaseOptions, type Db } from '../../platform/database/database.ts'
import { applicationRole } from '../../platform/database/migrate.ts'

export type InstallationDatabase = {
  /** The address for the owner of the tables, used only to migrate. */
  ownerUrl: string
  /** The address for processes. It takes the role `makola_app` in the session when the login is another one. */
  applicationUrl: string
  isEmbedded: boolean
  /** Ends the use of an embedded server; the last process that uses it stops it. */
  stop(): Promise<void>
}

/** Returns the addresses of DATABASE_URL, else those of the embedded server of DATA_DIR, which it starts unless it runs. */
export async function openDatabase(config: Config, log: Pick<Logger, 'info' | 'warn'>): Promise<InstallationDatabase> {
  const { databaseUrl, migrateDatabaseUrl = databaseUrl } = config
  if (databaseUrl !== undefined && migrateDatabaseUrl !== undefined) {
    return { ownerUrl: migrateDatabaseUrl, applicationUrl: databaseUrl, isEmbedded: false, stop: async () => undefined }
  }
  const { startEmbeddedPostgres } = await import('../../platform/database/embedded-postgres.ts')
  const embedded = await startEmbeddedPostgres({ dataDir: config.dataDir, log })
  return { ...embedded, isEmbedded: true }
}

export function connectAsApplication(
  url: string,
  options: Pick<DatabaseOptions, 'poolSize' | 'applicationName' | 'session' | 'queryTimeoutMilliseconds' | 'onConnect'>,
): Db {
  return connectDatabase({ ...options, url, role: applicationRole })
}
