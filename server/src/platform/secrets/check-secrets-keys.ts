import { sql } from 'kysely'
import type { Db } from '../database/database.ts'
import { inTransaction } from '../database/in-transaction.ts'
import { sealSecret, unsealSecret } from './seal-secret.ts'
import { SecretsKeyError, type SecretsKeys } from './secrets-keys.ts'

const canaryText = 'a small bird that sings while the key fits'

const canaryPlace = (keyId: string) => ({ table: 'secret_canaries', column: 'ciphertext', rowId: keyId })

const wrongKeyText =
  'The secrets in this database were sealed with another key than the one given. Start with the key of this ' +
  'database (SECRETS_KEY, SECRETS_KEY_FILE, or the file secrets.key in its DATA_DIR).'

function fits(keys: SecretsKeys, canary: { key_id: string; ciphertext: string }): boolean {
  try {
    return unsealSecret(keys, canary.ciphertext, canaryPlace(canary.key_id)) === canaryText
  } catch {
    return false
  }
}

/**
 * Checks at the start of a process that the given keys are those that sealed the database's secrets. It unseals a known
 * text that the first start stored. A new current key, given beside all older ones, stores a text of its own.
 * @throws SecretsKeyError when a text in use cannot be unsealed with the given keys
 */
export async function checkSecretsKeys(db: Db, keys: SecretsKeys): Promise<void> {
  await inTransaction(db, async (tx) => {
    // Two first starts with different keys must not both store a text: the second one waits here and then finds the
    // first one's.
    await sql`select pg_advisory_xact_lock(hashtextextended('makola secret canaries', 0))`.execute(tx)
    const canaries = await tx.selectFrom('secret_canaries').select(['key_id', 'ciphertext']).execute()
    if (!canaries.every((canary) => fits(keys, canary))) throw new SecretsKeyError(wrongKeyText)
    const { id } = keys.current
    if (canaries.some((canary) => canary.key_id === id)) return
    await tx
      .insertInto('secret_canaries')
      .values({ key_id: id, ciphertext: sealSecret(keys, canaryText, canaryPlace(id)) })
      .execute()
  })
}
