import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/database.ts'
import { type Refusal, RefusalError } from '../../platform/http/refusals.ts'
import type { KeyType, Role } from '../caller.ts'
import { type CreatedKey, createKey } from '../create-key.ts'
import { developerRefusals } from './developer.refusals.ts'
import { readDeveloperPolicy } from './read-developer-policy.ts'
import { type RotatedKey, rotateKey } from './rotate-key.ts'

/** The facts that decide which keys an account may make. */
export type KeyRights = {
  readonly role: Role
  readonly isRoleExpired: boolean
  readonly isBusiness: boolean
  readonly acceptedVersion: number | null
}

/** Reads the rights. Expiry follows the database's clock. */
export async function readKeyRights(db: Db | Tx, accountId: string): Promise<KeyRights> {
  const { rows } = await sql<KeyRights>`
    select role, is_business as "isBusiness",
      coalesce(role_expires_at <= clock_timestamp(), false) as "isRoleExpired",
      (select max(version) from policy_acceptances where account_id = ${accountId}) as "acceptedVersion"
    from accounts where id = ${accountId}`.execute(db)
  const rights = rows[0]
  if (!rights) throw new Error(`there is no account ${accountId}`)
  return rights
}

/**
 * The reason why a key of this type cannot be made; undefined when it can. Standard and commission keys are for agents and
 * dealers whose role has not expired and who accepted the policy in force, the SMS key is for an approved business
 * (contract, Authentication; decision S10: who may make which key).
 */
export function findKeyObstacle(rights: KeyRights, type: KeyType): Refusal | undefined {
  if (type === 'sms') return rights.isBusiness ? undefined : developerRefusals.businessNeeded
  if (rights.role === 'customer') return developerRefusals.keyRoleNeeded
  if (rights.isRoleExpired) return developerRefusals.roleExpired
  if (rights.acceptedVersion !== readDeveloperPolicy().version) return developerRefusals.policyNotAccepted
  return undefined
}

async function checkKeyRights(tx: Tx, asked: { readonly accountId: string; readonly type: KeyType }): Promise<void> {
  const obstacle = findKeyObstacle(await readKeyRights(tx, asked.accountId), asked.type)
  if (obstacle) throw new RefusalError(obstacle)
}

/**
 * Makes a key for its owner that replaces another one, which keeps working for some days.
 * @throws RefusalError 409 with the result of `findKeyObstacle`, or as `rotateKey` does
 */
export async function rotateOwnKey(
  tx: Tx,
  asked: { accountId: string; type: KeyType; keyId: string; prefix: string; actor: string },
): Promise<RotatedKey> {
  await checkKeyRights(tx, asked)
  return rotateKey(tx, asked)
}

/**
 * Makes a key in the name of its owner. A standard or commission key waits for the operator's approval, an SMS key works at
 * once. The account's other keys of that type are revoked.
 *
 * @returns the key itself, which nothing can show again
 * @throws RefusalError 409 with the result of `findKeyObstacle`
 */
export async function generateKey(
  tx: Tx,
  asked: { accountId: string; type: KeyType; prefix: string; actor: string },
): Promise<CreatedKey> {
  await checkKeyRights(tx, asked)
  return createKey(tx, { ...asked, isPending: asked.type !== 'sms' })
}
