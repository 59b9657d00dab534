import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/database/database.ts'
import { inTransaction } from '../../../platform/database/in-transaction.ts'
import { rowsOf } from '../../../platform/database/rows-of.ts'
import { RefusalError } from '../../../platform/http/refusals.ts'
import { smsRefusals } from '../sms.refusals.ts'
import { type ContactLine, readContactLines, type WrongNumber } from '../text/read-contact-lines.ts'
import { recipientsMax } from '../text/read-recipients.ts'
import { lockContactList } from './contact-lists.ts'
import { openOptOutList } from './opt-outs.ts'

/** The most numbers that may opt out of one account's texts by a file, a person or a program. */
const optOutsMax = 1_000_000

/** The result of an import or of its dry run. */
export type ContactImport = {
  readonly added: number
  /** How many lines repeat a number of an earlier line. */
  readonly repeated: number
  /** How many of the numbers the list had already. */
  readonly known: number
  readonly wrong: readonly Extract<ContactLine, { why: WrongNumber }>[]
}

/**
 * Adds the numbers that the list does not have. A reply may opt a number out meanwhile, because it does not wait for the lock of
 * the list.
 * @returns how many were added
 */
async function insertContacts(
  tx: Tx,
  listId: string,
  contacts: readonly { readonly recipient: string; readonly name?: string | undefined }[],
): Promise<number> {
  if (contacts.length === 0) return 0
  const { numAffectedRows = 0n } = await sql`
    insert into sms_contacts ${rowsOf(contacts, {
      list_id: ['uuid', () => listId],
      recipient: ['text', ({ recipient }) => recipient],
      name: ['text', ({ name }) => name ?? null],
    }).forInsert()}
    on conflict (list_id, recipient) do nothing`.execute(tx)
  return Number(numAffectedRows)
}

/**
 * Adds the numbers of a text to a list. Reports and skips wrong lines; a number that the list has already stays once. A dry
 * run returns the same and changes nothing.
 * @throws RefusalError when the account has no such list, or the list would get longer than `recipientsMax`, or the list
 *   of opt-outs longer than `optOutsMax`
 */
export async function importContacts(
  db: Db,
  accountId: string,
  { listId, text, isDryRun }: { readonly listId: string; readonly text: string; readonly isDryRun: boolean },
): Promise<ContactImport> {
  const lines = readContactLines(text)
  const given = lines.filter((line) => 'recipient' in line)
  const unique = new Map(given.toReversed().map((line) => [line.recipient, line]))
  const wanted = [...unique.values()]
  const isOptOut = listId.toLowerCase() === accountId
  return inTransaction(db, async (tx) => {
    if (isOptOut && !isDryRun) await openOptOutList(tx, accountId)
    // Before the first opt-out there is no list to lock, and a dry run makes none.
    if (!isOptOut || !isDryRun) await lockContactList(tx, accountId, listId)
    const { rows: held } = await sql<{ recipient: string }>`
      select recipient from sms_contacts
      where list_id = ${listId} and recipient = any(${wanted.map(({ recipient }) => recipient)}::text[])`.execute(tx)
    const known = new Set(held.map(({ recipient }) => recipient))
    const unknown = wanted.filter(({ recipient }) => !known.has(recipient))
    const { rows: counted } = await sql<{ count: number }>`
      select count(*)::integer as count from sms_contacts where list_id = ${listId}`.execute(tx)
    const isTooLong = (counted[0]?.count ?? 0) + unknown.length > (isOptOut ? optOutsMax : recipientsMax)
    if (isTooLong) throw new RefusalError(smsRefusals.listTooLong)
    const added = isDryRun ? unknown.length : await insertContacts(tx, listId, unknown)
    return {
      added,
      repeated: given.length - wanted.length,
      known: wanted.length - added,
      wrong: lines.filter((line) => 'why' in line),
    }
  })
}
