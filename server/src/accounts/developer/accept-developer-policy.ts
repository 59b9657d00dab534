import { isIP } from 'node:net'
import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/database.ts'
import { RefusalError } from '../../platform/http/refusals.ts'
import { developerRefusals } from './developer.refusals.ts'
import { readDeveloperPolicy } from './read-developer-policy.ts'

export type PolicyAcceptance = { readonly version: number; readonly acceptedAt: Date; readonly personId: string | null }

/** Finds the newest version that an account has accepted. */
export function findPolicyAcceptance(db: Db | Tx, accountId: string): Promise<PolicyAcceptance | undefined> {
  return db
    .selectFrom('policy_acceptances')
    .select(['version', 'accepted_at as acceptedAt', 'person_id as personId'])
    .where('account_id', '=', accountId)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Records that an account accepts the policy in force. `personId` is null for an acceptance on paper. */
export async function recordPolicyAcceptance(
  tx: Tx,
  { accountId, personId, address }: { accountId: string; personId: string | null; address: string | null },
): Promise<void> {
  const { version } = readDeveloperPolicy()
  const inserted = await tx
    .insertInto('policy_acceptances')
    .values({ account_id: accountId, version, person_id: personId, address })
    .onConflict((conflict) => conflict.constraint('policy_acceptances_once_per_version').doNothing())
    .returning('version')
    .executeTakeFirst()
  if (!inserted) return
  await tx.updateTable('accounts').set({ policy_accepted_at: sql<Date>`clock_timestamp()` }).where('id', '=', accountId).execute()
}

/**
 * Accepts the policy in the name of an account. Accepting it again changes nothing.
 *
 * @throws RefusalError 409 when the version that the person read is not the one in force
 */
export async function acceptDeveloperPolicy(
  tx: Tx,
  { address, version, ...acceptance }: { accountId: string; personId: string; address: string; version: number },
): Promise<void> {
  if (version !== readDeveloperPolicy().version) throw new RefusalError(developerRefusals.policyChanged)
  await recordPolicyAcceptance(tx, { ...acceptance, address: isIP(address) === 0 ? null : address })
}
