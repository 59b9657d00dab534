import { sql } from 'kysely'
import type { Db, TableRow } from '../platform/database/database.ts'
import type { SecretsKeys } from '../platform/secrets/secrets-keys.ts'

/**
 * Encrypts, row by row and with the current key, all second factors that an older key encrypted. It may be stopped at any
 * moment and run again. A row that changes meanwhile, as when a back-up code is used, is tried again.
 *
 * @returns the number of rows changed
 * @throws when a row needs a key that is not given
 */
export async function encryptSecondFactorsAnew(db: Db, secretsKeys: SecretsKeys): Promise<number> {
  const { currentEncryptionPrefix, encryptAnew } = await import('./auth/create-auth.ts')
  const isCurrent = `${currentEncryptionPrefix(secretsKeys)}%`
  for (let done = 0; ; ) {
    const { rows } = await sql<TableRow<'person_two_factors', 'id' | 'secret' | 'backup_codes'>>`
      select id, secret, backup_codes from person_two_factors
      where secret not like ${isCurrent} or backup_codes not like ${isCurrent}
      order by id limit 100`.execute(db)
    if (rows.length === 0) return done
    for (const row of rows) {
      const [secret, backupCodes] = await Promise.all([
        encryptAnew(secretsKeys, row.secret),
        encryptAnew(secretsKeys, row.backup_codes),
      ])
      const { numAffectedRows = 0n } = await sql`
        update person_two_factors set secret = ${secret}, backup_codes = ${backupCodes}
        where id = ${row.id} and secret = ${row.secret} and backup_codes = ${row.backup_codes}`.execute(db)
      done += Number(numAffectedRows)
    }
  }
}
