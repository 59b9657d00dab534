import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import { secondFactorLockSeconds, secondFactorTriesMax } from './auth-limits.ts'

/**
 * Counts a code before it is checked, so that many codes at once cannot pass the limit. The last allowed try locks the second
 * factor; a right code ends the count and the lock.
 *
 * @returns false when the second factor is locked
 */
export async function countCodeTry(db: Db, personId: string): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    with tries as materialized (
      select id, case when locked_until is null then failed_verification_count else 0 end + 1 as number
      from person_two_factors
      where person_id = ${personId} and (locked_until is null or locked_until <= clock_timestamp())
      for update
    )
    update person_two_factors as factor set
      failed_verification_count = tries.number,
      locked_until = case when tries.number >= ${secondFactorTriesMax}
        then clock_timestamp() + make_interval(secs => ${secondFactorLockSeconds}) end
    from tries where factor.id = tries.id`.execute(db)
  return numAffectedRows > 0n
}

export async function clearCodeTries(db: Db, personId: string): Promise<void> {
  await db
    .updateTable('person_two_factors')
    .set({ failed_verification_count: 0, locked_until: null })
    .where('person_id', '=', personId)
    .execute()
}
