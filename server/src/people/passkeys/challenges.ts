import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/new-id.ts'

/** The time in which a person must use the passkey. */
const challengeMinutes = 5

/** The use that a challenge was made for. A signature over the challenge is accepted for this purpose and holder only. */
export type ChallengeUse = {
  readonly purpose: 'add' | 'second_factor' | 'confirm'
  /** The session, or the cookie of the sign-in that waits. */
  readonly holder: string
  readonly personId: string
}

function identifierOf({ purpose, holder, personId }: ChallengeUse, challenge: string): string {
  return `passkey ${createHash('sha256').update([purpose, holder, personId, challenge].join(' ')).digest('base64url')}`
}

/** Stores a challenge with the person's id, so that a new password deletes it like all other open ways to sign in. */
export async function storeChallenge(db: Db, owner: ChallengeUse, challenge: string): Promise<void> {
  await sql`
    insert into person_verifications (id, identifier, value, expires_at)
    values (${newId()}, ${identifierOf(owner, challenge)}, ${owner.personId},
      clock_timestamp() + make_interval(mins => ${challengeMinutes}))`.execute(db)
}

/** Uses a challenge up. @returns false when it was used before, is too old, or was made for something else */
export async function consumeChallenge(db: Db, owner: ChallengeUse, challenge: string): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    delete from person_verifications
    where identifier = ${identifierOf(owner, challenge)} and expires_at > clock_timestamp()`.execute(db)
  return numAffectedRows > 0n
}
