import type { Config } from '../../config.ts'
import type { Db } from '../../platform/database/database.ts'
import { checkSecretsKeys } from '../../platform/secrets/check-secrets-keys.ts'
import { loadSecretsKeys } from '../../platform/secrets/load-secrets-keys.ts'
import type { SecretsKeys } from '../../platform/secrets/secrets-keys.ts'
import { withDatabase } from './with-database.ts'

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
