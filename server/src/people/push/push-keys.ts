import type { Db } from '../../platform/database/database.ts'
import type { SealedColumn } from '../../platform/secrets/rotate-secrets.ts'
import { sealSecret, unsealSecret } from '../../platform/secrets/seal-secret.ts'
import type { SecretsKeys } from '../../platform/secrets/secrets-keys.ts'

const keyName = 'vapid'
const keyColumn = { table: 'push_keys', column: 'private_key', idColumn: 'name', idType: 'text' } as const satisfies SealedColumn

/** The sealed column of this folder, for the rotation of the secrets keys. */
export const sealedPushKeys: readonly SealedColumn[] = [keyColumn]

/** In base64url, as browsers and push services take them (RFC 8292). */
export type PushKeys = { readonly publicKey: string; readonly privateKey: string }

/**
 * Opens the key pair by which push services know this installation, and makes it at the first call.
 * @throws SecretUnreadableError when it was sealed with a secrets key that is not given
 */
export async function openPushKeys(db: Db, secretsKeys: SecretsKeys): Promise<PushKeys> {
  const known = await db.selectFrom('push_keys').selectAll().where('name', '=', keyName).executeTakeFirst()
  if (known) {
    const privateKey = unsealSecret(secretsKeys, known.private_key, { ...keyColumn, rowId: keyName })
    return { publicKey: known.public_key, privateKey }
  }
  const { default: webPush } = await import('web-push')
  const made = webPush.generateVAPIDKeys()
  const sealed = sealSecret(secretsKeys, made.privateKey, { ...keyColumn, rowId: keyName })
  await db
    .insertInto('push_keys')
    .values({ name: keyName, public_key: made.publicKey, private_key: sealed })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  // Another process may have made one at the same moment.
  return openPushKeys(db, secretsKeys)
}
