import { readPhoneNumber, waysOfWriting } from '../networks/read-phone-number.ts'
import type { RecipientHash } from '../orders/forgetting/forget-orders.ts'
import type { RecipientForms } from '../orders/queries/order-filters.ts'
import type { Db } from '../platform/database/database.ts'
import { findNumberHash, openNumberHash } from '../platform/forgetting/number-hash.ts'
import type { OperationDeps } from '../platform/operations/operation.ts'
import type { SecretsKeys } from '../platform/secrets/secrets-keys.ts'

type HashDeps = { readonly db: Db; readonly secretsKeys: SecretsKeys }

/** The one form in which a recipient is hashed: a phone number as it is dialled in Ghana, any other text as it is. */
const hashedForm = (recipient: string) => readPhoneNumber(recipient) ?? recipient

/** Opens the hash function by which orders are found after their recipients were forgotten. */
export async function openRecipientHash({ db, secretsKeys }: HashDeps): Promise<RecipientHash> {
  const { hashNumber, keyFingerprint } = await openNumberHash(db, secretsKeys)
  return { hashRecipient: (recipient) => hashNumber(hashedForm(recipient)), keyFingerprint }
}

/**
 * The texts in which orders may hold this recipient (a phone number has two), and its hash for orders that have forgotten the
 * text.
 */
export async function formsOfRecipient(
  { db, openSecrets }: Pick<OperationDeps, 'db' | 'openSecrets'>,
  text: string,
): Promise<RecipientForms> {
  const number = readPhoneNumber(text)
  const numberHash = await findNumberHash(db, openSecrets)
  return {
    recipients: number === undefined ? [text] : waysOfWriting(number),
    recipientHash: numberHash?.hashNumber(number ?? text),
  }
}
