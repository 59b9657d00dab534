import { sql } from 'kysely'
import type { Db } from '../../../platform/database/database.ts'
import { inTransaction } from '../../../platform/database/in-transaction.ts'
import { RefusalError } from '../../../platform/http/refusals.ts'
import { smsRefusals } from '../sms.refusals.ts'

/** The most drafts of one account. */
const draftsMax = 50

/** An unsent text, as its author left it. */
export type Draft = {
  readonly draftId: string
  readonly message: string
  readonly recipients: string
  readonly listIds: readonly string[]
  readonly sender: string | null
  /** Written where a number has no name. */
  readonly nameFallback: string | null
  readonly updatedAt: Date
}

export async function listDrafts(db: Db, accountId: string): Promise<readonly Draft[]> {
  const { rows } = await sql<Draft>`
    select id as "draftId", message, recipients, list_ids as "listIds", sender, name_fallback as "nameFallback", updated_at as "updatedAt" from sms_drafts
    where account_id = ${accountId} order by updated_at desc limit ${draftsMax}`.execute(db)
  return rows
}

/**
 * Stores a draft under the id that the page made for it, replacing its earlier content.
 * @throws RefusalError when the id is another account's, or a new draft exceeds `draftsMax`
 */
export async function saveDraft(
  db: Db,
  draft: Omit<Draft, 'updatedAt'> & { readonly accountId: string; readonly actor: string },
): Promise<void> {
  const { draftId: id, accountId, message, recipients, listIds, sender, nameFallback, actor } = draft
  await inTransaction(db, async (tx) => {
    // One writer at a time, so that two cannot both store the fiftieth draft.
    await sql`select from accounts where id = ${accountId} for no key update`.execute(tx)
    const { rows } = await sql<{ own: number; is_own: boolean | null }>`
      select (select count(*) from sms_drafts where account_id = ${accountId}) as own,
        (select account_id = ${accountId} from sms_drafts where id = ${id}) as is_own`.execute(tx)
    const [found] = rows
    if (found?.is_own === false) throw new RefusalError(smsRefusals.draftNotFound)
    if (found?.is_own === null && found.own >= draftsMax) throw new RefusalError(smsRefusals.tooManyDrafts)
    await sql`
      insert into sms_drafts (id, account_id, message, recipients, list_ids, sender, name_fallback, updated_by)
      values (${id}, ${accountId}, ${message}, ${recipients}, ${[...listIds]}::uuid[], ${sender}, ${nameFallback}, ${actor})
      on conflict (id) do update set message = excluded.message, recipients = excluded.recipients,
        list_ids = excluded.list_ids, sender = excluded.sender, name_fallback = excluded.name_fallback, updated_by = excluded.updated_by, updated_at = clock_timestamp()
        where sms_drafts.account_id = excluded.account_id`.execute(tx)
  })
}

/** Deletes a draft. A missing draft is no error. */
export async function deleteDraft(db: Db, accountId: string, id: string): Promise<void> {
  await db.deleteFrom('sms_drafts').where('id', '=', id).where('account_id', '=', accountId).execute()
}
