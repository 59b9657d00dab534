import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Config } from '../../config.ts'
import { checkApplicationRole } from '../../platform/database/check-application-role.ts'
import { checkServer } from '../../platform/database/check-server.ts'
import { checkSessions } from '../../platform/database/check-sessions.ts'
import type { Db } from '../../platform/database/database.ts'
import { classifyDatabaseError } from '../../platform/database/database-errors.ts'
import { describeLoginReach } from '../../platform/database/describe-login-reach.ts'
import { checkSchema } from '../../platform/database/migrate.ts'
import { stampMode } from '../../platform/database/stamp-mode.ts'
import { checkSecretsKeys } from '../../platform/secrets/check-secrets-keys.ts'
import { loadSecretsKeys } from '../../platform/secrets/load-secrets-keys.ts'
import type { InstallationDatabase } from '../frame/open-database.ts'

/** While a database restarts, the checks are tried again for this long. */
const patienceMilliseconds = 20_000
const pauseMilliseconds = 200

async function checkAll(config: Config, db: Db, log: Pick<Logger, 'warn'>): Promise<void> {
  await checkSessions(db)
  await checkSchema(db)
  await checkApplicationRole(db)
  const reach = await describeLoginReach(db)
  if (reach !== undefined) log.warn(reach)
  await stampMode(db, config.testSideOf ? 'test' : config.suppliers === 'live' ? 'live' : 'simulated')
  await checkSecretsKeys(db, await loadSecretsKeys(config))
}

/**
 * The checks of every process before it serves: a crash of the server loses no committed data, each connection has a session of
 * its own, the schema fits, this login cannot change history, simulated and real money stay apart, and our keys unseal the
 * secrets. When a database goes away during the checks, they begin again; when it was never there, the address is probably
 * wrong, and its error is thrown at once.
 * @param database if it is embedded, this process has just started its server or joined it
 * @param db connected to the application's address of `database`
 * @throws with the reason, and what to do
 */
export async function prepareDatabase(
  config: Config,
  database: Pick<InstallationDatabase, 'applicationUrl' | 'isEmbedded'>,
  db: Db,
  log: Pick<Logger, 'warn'>,
): Promise<void> {
  const startedAt = performance.now()
  let wasThere = database.isEmbedded
  for (;;) {
    try {
      await checkServer(database.applicationUrl)
      wasThere = true
      return await checkAll(config, db, log)
    } catch (error) {
      const mayReturn = wasThere && classifyDatabaseError(error) === 'connection_lost'
      if (!mayReturn || performance.now() - startedAt > patienceMilliseconds) throw error
      log.warn({ err: error }, 'the database went away while this process was starting; trying again')
      await delay(pauseMilliseconds)
    }
  }
}
