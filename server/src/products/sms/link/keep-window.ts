import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/database/database.ts'
import { newId } from '../../../platform/database/new-id.ts'
import { lockNamed } from '../../../platform/database/run-alone.ts'
import type { SmsAnswer } from '../../../suppliers/sms-ports.ts'

/** One message of a campaign. */
export type MessageName = { readonly campaignId: string; readonly n: number }

/** What is kept of an answer until it stands at its message. */
export type KeptAnswer = {
  readonly message: MessageName & { readonly recipient: string }
  readonly answer: SmsAnswer
  /** Another supplier could still take it. */
  readonly hasOtherSupplier: boolean
  /** It came after its time had run out, so the message already counts as one without an answer. */
  readonly isLate: boolean
}

/** Messages of one link that are sent, or may be sent any moment, and whose answer is not kept yet: what a crash leaves unknown at most. */
export const windowMax = 50

/** The lock that one process holds while it holds a supplier's link: two binds of one account would split its receipts. */
export const linkLock = (supplier: string) => lockNamed(`makola sms link ${supplier}`)

/** Somebody else holds the link now: nothing more may be sent over it from here. */
export class LinkTakenOverError extends Error {
  override readonly name = 'LinkTakenOverError'
}

/** Which link, and the token of the one who holds it. */
export type Holder = { readonly supplier: string; readonly token: string }

/**
 * Commits, in one statement, what a link may have under way from now on, and the answers by which others left that
 * window. A message may be sent only after a window that names it was committed. The answers are written to their messages
 * later, many at once, by a transaction that takes their id away again.
 *
 * @returns the id of the kept answers; undefined when there were none
 * @throws LinkTakenOverError when the link has another holder; then nothing was kept
 */
export async function keepWindow(
  db: Db,
  { supplier, token }: Holder,
  window: readonly MessageName[],
  answers: readonly KeptAnswer[],
): Promise<string | undefined> {
  const id = answers.length > 0 ? newId() : undefined
  const kept = answers.map(({ message: { campaignId, n, recipient }, answer, hasOtherSupplier, isLate }) => {
    return { message: { campaignId, n, recipient }, answer, hasOtherSupplier, isLate } satisfies KeptAnswer
  })
  const { rows } = await sql`
    with ours as (
      update sms_windows
      set campaign_ids = ${window.map(({ campaignId }) => campaignId)}::uuid[], numbers = ${window.map(({ n }) => n)}::integer[]
      where supplier = ${supplier} and holder = ${token}
      returning supplier
    ), kept as (
      insert into sms_kept_answers (id, supplier, answers)
      select given.id, supplier, ${JSON.stringify(kept)}::json from ours, (select ${id ?? null}::uuid as id) as given
      where given.id is not null
    )
    select supplier from ours`.execute(db)
  if (rows.length === 0) throw new LinkTakenOverError(`the SMS link of ${supplier} has another holder`)
  return id
}

/** Forgets kept answers, in the transaction that writes them to their messages. */
export async function forgetKeptAnswers(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await sql`delete from sms_kept_answers where id = any(${ids}::uuid[])`.execute(tx)
}

/** Takes what an earlier holder of the link had kept and not written, oldest first; of one message once in each list. */
export async function takeKeptAnswers(tx: Tx, supplier: string): Promise<(readonly KeptAnswer[])[]> {
  const { rows } = await sql<{ id: string; answers: KeptAnswer[] }>`
    delete from sms_kept_answers where supplier = ${supplier} returning id, answers`.execute(tx)
  return rows.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map((row) => row.answers)
}
