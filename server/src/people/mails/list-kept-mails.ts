import type { Db } from '../../platform/database/database.ts'
import { unsealSecret } from '../../platform/secrets/seal-secret.ts'
import type { SecretsKeys } from '../../platform/secrets/secrets-keys.ts'
import { keptMailColumn } from './send-person-mails.ts'

/** The newest mails that an installation with the simulator and without a mail server keeps instead of sending. */
export async function listKeptMails(db: Db, secretsKeys: SecretsKeys) {
  const rows = await db
    .selectFrom('person_mails')
    .select(['id', 'email', 'phone', 'subject', 'kept_text', 'created_at'])
    .where('state', '=', 'kept')
    .orderBy('id', 'desc')
    .limit(50)
    .execute()
  return rows.map((row) => ({
    mailId: row.id,
    to: row.phone ?? row.email,
    subject: row.subject ?? '',
    text: unsealSecret(secretsKeys, row.kept_text ?? '', { ...keptMailColumn, rowId: row.id }),
    createdAt: row.created_at,
  }))
}
