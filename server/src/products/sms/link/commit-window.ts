import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/database/database.ts'
import { newId } from '../../../platform/database/new-id.ts'
import { lockNamed } from '../../../platform/database/run-alone.ts'
import type { SmsAnswer, SmsSupplier } from '../../../suppliers/sms-ports.ts'

export type CampaignMessageId = { readonly campaignId: string; readonly n: number }

/** An answer in the table `sms_kept_answers`, where it stays until it is written to its message's row. */
export type KeptAnswer = {
  readonly message: CampaignMessageId & { readonly recipient: string }
  readonly answer: SmsAnswer
  /**
   * True when another supplier could take the message if this one refuses us. Then a refused message waits for another
   * supplier. False: it fails.
   */
  readonly hasOtherSupplier: boolean
  /** True when the answer came after the time-out, so that the message already counts as unanswered. */
  readonly isLate: boolean
}

/**
 * At most this many messages of a link may be in flight. Their ids are committed as its window before the first one is sent.
 * The table has the same limit.
 */
export const windowMax = 100

/**
 * The window may have messages for this many seconds in advance. We assume that a commit takes less, so that the link does not
 * wait for it.
 */
const secondsAhead = 0.25

/**
 * The most messages of one link in flight: sent, or about to be sent, without a kept answer. A crash leaves at most this many
 * unknown. The size is up to twice as many as the link sends without an answer, so that the next messages are committed while
 * the supplier still works on those before them, and the link need not wait for the disk. It is never more than the link sends
 * in a second, because the link sends committed messages before any later text, even when their campaign is cancelled.
 */
export function windowSizeOf({
  submitsAtOnce,
  submitsPerSecond,
}: Pick<SmsSupplier, 'submitsAtOnce' | 'submitsPerSecond'>): number {
  const most = Math.min(windowMax, 2 * submitsAtOnce)
  if (submitsPerSecond === null) return most
  return Math.min(most, submitsAtOnce + Math.ceil(submitsPerSecond * secondsAhead), Math.ceil(submitsPerSecond))
}

/**
 * Lock of a supplier's link. Only one process may hold it, because two binds of one account would each get a part of the
 * receipts.
 */
export const linkLock = (supplier: string) => lockNamed(`makola sms link ${supplier}`)

/** Another process holds the link now. This process may send nothing more over it. */
export class LinkTakenOverError extends Error {
  override readonly name = 'LinkTakenOverError'
}

/** A supplier's link, and the token of the process that holds it. */
export type LinkHolder = { readonly supplier: string; readonly token: string }

/**
 * Commits, in one statement, the messages that a link may have in flight from now on, and the given answers. A message may be
 * sent only after a commit that names it. A later transaction writes the answers to their messages, many at once, and deletes
 * them here.
 * @returns the id of the kept answers; undefined when there were none
 * @throws LinkTakenOverError when the link has another holder; then nothing was kept
 */
export async function commitWindow(
  db: Db,
  { supplier, token }: LinkHolder,
  window: readonly CampaignMessageId[],
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

/** Deletes kept answers, in the transaction that writes them to their messages. */
export async function deleteKeptAnswers(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await sql`delete from sms_kept_answers where id = any(${ids}::uuid[])`.execute(tx)
}

/**
 * Takes the answers that an earlier holder kept but did not write, oldest first. Each list has at most one answer per
 * message.
 */
export async function takeKeptAnswers(tx: Tx, supplier: string): Promise<(readonly KeptAnswer[])[]> {
  const { rows } = await sql<{ id: string; answers: KeptAnswer[] }>`
    delete from sms_kept_answers where supplier = ${supplier} returning id, answers`.execute(tx)
  return rows.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map((row) => row.answers)
}
