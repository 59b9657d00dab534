import { access } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../config.ts'
import type { Db } from '../../platform/database/database.ts'
import { checkSchema } from '../../platform/database/migrate.ts'
import { checkSecretsKeys } from '../../platform/secrets/check-secrets-keys.ts'
import { loadSecretsKeys } from '../../platform/secrets/load-secrets-keys.ts'
import type { SecretsKeys } from '../../platform/secrets/secrets-keys.ts'
import { CommandError } from './command-error.ts'
import { connectAsApplication, openDatabase } from './open-database.ts'
import { osUser } from './operator-name.ts'

/** A command runs few statements at a time. */
const poolSize = 4

const silentLog = { info: () => undefined, warn: () => undefined }

/** A command in the wrong folder must not make a new, empty database there. */
export async function refuseWithoutDatabase(config: Config): Promise<void> {
  if (config.databaseUrl !== undefined) return
  const isThere = await access(join(config.dataDir, 'postgres')).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code === 'EACCES',
  )
  if (isThere) return
  throw new CommandError(
    `There is no database in ${config.dataDir} yet. Run \`makola start\` first, or set DATA_DIR or DATABASE_URL to where it is.`,
  )
}

/**
 * Works, as the application role, on the database of DATABASE_URL, or else on the embedded server, which is started for the
 * time of the command unless it runs.
 */
export async function withDatabase<T>(config: Config, work: (db: Db) => Promise<T>): Promise<T> {
  await refuseWithoutDatabase(config)
  const database = await openDatabase(config, silentLog)
  try {
    const db = connectAsApplication(database.applicationUrl, {
      poolSize,
      applicationName: 'makola command',
      // The database puts this user into every line that the command adds to the operator's log.
      session: { 'makola.os_user': osUser() },
    })
    try {
      await checkSchema(db)
      return await work(db)
    } finally {
      await db.destroy()
    }
  } finally {
    await database.stop()
  }
}

/**
 * Works on the database of this installation with the keys of its secrets. Looks for the keys only when there is a database, so
 * that a command in the wrong folder creates no key. Checks them first, so that nothing is sealed with a wrong key.
 * @throws SecretsKeyError when this database was sealed with other keys
 */
export function withDatabaseAndKeys<T>(config: Config, work: (db: Db, keys: SecretsKeys) => Promise<T>): Promise<T> {
  return withDatabase(config, async (db) => {
    const keys = await loadSecretsKeys(config)
    await checkSecretsKeys(db, keys)
    return work(db, keys)
  })
}
