import type { Config } from '../../config.ts'
import type { Db } from '../../platform/database/database.ts'
import { checkSecretsKeys } from '../../platform/secrets/check-secrets-keys.ts'
import { loadSecretsKeys } from '../../platform/secrets/load-secrets-keys.ts'
import type { SecretsKeys } from '../../platform/secrets/secrets-keys.ts'
import { withDatabase } from './with-database.ts'

/**
 * Runs a command's work on the database of this installation with the keys of its secrets. The keys are looked for only
 * when there is a database, so that a command in the wrong folder creates no key there. They are checked first, so that
 * nothing is sealed with a wrong key.
 * @throws SecretsKeyError when the keys are not the ones that this database was sealed with
 */
export function withDatabaseAndKeys<T>(config: Config, work: (db: Db, keys: SecretsKeys) => Promise<T>): Promise<T> {
  return withDatabase(config, async (db) => {
    const keys = await loadSecretsKeys(config)
    await checkSecretsKeys(db, keys)
    return work(db, keys)
  })
}
