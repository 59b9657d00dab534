import type { Logger } from 'pino'
import type { Config } from '../../config.ts'
import { checkApplicationRole } from '../../platform/database/check-application-role.ts'
import { checkServer } from '../../platform/database/check-server.ts'
import { checkSessions } from '../../platform/database/check-sessions.ts'
import type { Db } from '../../platform/database/database.ts'
import { describeLoginReach } from '../../platform/database/describe-login-reach.ts'
import { checkSchema } from '../../platform/database/migrate.ts'
import { stampMode } from '../../platform/database/stamp-mode.ts'
import { checkSecretsKeys } from '../../platform/secrets/check-secrets-keys.ts'
import { loadSecretsKeys } from '../../platform/secrets/load-secrets-keys.ts'

/**
 * The checks of every process before it serves: the server keeps what it acknowledges, connections are real sessions,
 * the schema fits, this login cannot change history, simulated and real money stay apart, and our keys unseal the
 * secrets.
 * @param applicationUrl the address that `db` is connected to
 * @throws with the reason, and what to do
 */
export async function prepareDatabase(config: Config, applicationUrl: string, db: Db, log: Pick<Logger, 'warn'>): Promise<void> {
  await checkServer(applicationUrl)
  await checkSessions(db)
  await checkSchema(db)
  await checkApplicationRole(db)
  const reach = await describeLoginReach(db)
  if (reach !== undefined) log.warn(reach)
  await stampMode(db, config.suppliers === 'live' ? 'live' : 'simulated')
  await checkSecretsKeys(db, await loadSecretsKeys(config))
}
