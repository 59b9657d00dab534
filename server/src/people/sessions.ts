import { sql } from 'kysely'
import type { Db } from '../platform/database/database.ts'
import type { SignedInPerson } from './find-person.ts'

export type PersonSession = {
  readonly sessionId: string
  readonly address: string | null
  readonly userAgent: string | null
  readonly createdAt: Date
  readonly lastUsedAt: Date
}

export async function listSessions(db: Db, { personId }: Pick<SignedInPerson, 'personId'>): Promise<PersonSession[]> {
  return db
    .selectFrom('person_sessions')
    .select([
      'id as sessionId',
      'ip_address as address',
      'user_agent as userAgent',
      'created_at as createdAt',
      'updated_at as lastUsedAt',
    ])
    .where('person_id', '=', personId)
    .where('expires_at', '>', sql<Date>`clock_timestamp()`)
    .orderBy('id', 'desc')
    .execute()
}

/** Ends one session of a person; its next request is refused. @returns whether there was one */
export async function endSession(db: Db, { personId }: Pick<SignedInPerson, 'personId'>, sessionId: string): Promise<boolean> {
  const ended = await db
    .deleteFrom('person_sessions')
    .where('id', '=', sessionId)
    .where('person_id', '=', personId)
    .returning('id')
    .execute()
  return ended.length > 0
}

/** Ends all sessions of a person but the one of this request. @returns how many ended */
export async function endOtherSessions(db: Db, { personId, sessionId }: SignedInPerson): Promise<number> {
  const ended = await db
    .deleteFrom('person_sessions')
    .where('person_id', '=', personId)
    .where('id', '<>', sessionId)
    .returning('id')
    .execute()
  return ended.length
}
