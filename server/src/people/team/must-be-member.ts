import type { Db } from '../../platform/database/database.ts'
import { RefusalError } from '../../platform/http/refusals.ts'
import { findMemberEmail } from '../manage-people.ts'
import { peopleRefusals } from '../people.refusals.ts'

/** @throws RefusalError 404 when the person is no member of the account */
export async function mustBeMember(db: Db, accountId: string, personId: string): Promise<void> {
  if ((await findMemberEmail(db, accountId, personId)) === undefined) throw new RefusalError(peopleRefusals.memberNotFound)
}
