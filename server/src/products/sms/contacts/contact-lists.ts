import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/database/database.ts'
import { inTransaction } from '../../../platform/database/in-transaction.ts'
import { newId } from '../../../platform/database/new-id.ts'
import { RefusalError } from '../../../platform/http/refusals.ts'
import { smsRefusals } from '../sms.refusals.ts'
import { optOutName } from './opt-outs.ts'

/** The most lists of one account. */
export const listsMax = 100

export type ContactList = {
  readonly listId: string
  readonly name: string
  readonly contacts: number
  readonly createdAt: Date
  /** Campaigns leave its numbers out. Every account has one such list, which is stored when the first number opts out. */
  readonly isOptOut: boolean
}

const readLists = (accountId: string) => sql`
  select list.id as "listId", name, created_at as "createdAt", list.id = ${accountId}::uuid as "isOptOut",
    (select count(*) from sms_contacts where list_id = list.id) as contacts
  from (
    select id, name, created_at from sms_lists where account_id = ${accountId}
    union all
    select ${accountId}::uuid, ${optOutName}, clock_timestamp()
    where not exists (select from sms_lists where id = ${accountId}::uuid)
  ) as list`

/** Lists an account's lists by name, each with how many contacts it has; the list of opt-outs comes last. */
export async function listContactLists(db: Db, accountId: string): Promise<readonly ContactList[]> {
  const { rows } = await sql<ContactList>`
    ${readLists(accountId)} order by "isOptOut", lower(name), list.id limit ${listsMax + 1}`.execute(db)
  return rows
}

/**
 * Makes an empty list.
 * @throws RefusalError when the name is used already, or the account has its hundred lists
 */
export async function createContactList(db: Db, accountId: string, name: string): Promise<ContactList> {
  const id = newId()
  return inTransaction(db, async (tx) => {
    // One writer at a time, so that two cannot both make the hundredth list.
    await sql`select from accounts where id = ${accountId} for no key update`.execute(tx)
    const { rows } = await sql<ContactList>`
      insert into sms_lists (id, account_id, name)
      select ${id}, ${accountId}, ${name}
      where (select count(*) from sms_lists where account_id = ${accountId} and id <> account_id) < ${listsMax} and ${name} <> ${optOutName}
      on conflict (account_id, name) do nothing
      returning id as "listId", name, created_at as "createdAt", 0 as contacts, false as "isOptOut"`.execute(tx)
    const [created] = rows
    if (created) return created
    const { rows: same } = await sql`select from sms_lists where account_id = ${accountId} and name = ${name}`.execute(tx)
    throw new RefusalError(same.length > 0 || name === optOutName ? smsRefusals.listNameTaken : smsRefusals.tooManyLists)
  })
}

/**
 * Finds an account's list and locks it against other changes.
 * @throws RefusalError when the account has no such list
 */
export async function lockContactList(tx: Tx, accountId: string, listId: string): Promise<void> {
  const { rows } = await sql`
    select from sms_lists where id = ${listId} and account_id = ${accountId} for no key update`.execute(tx)
  if (rows.length === 0) throw new RefusalError(smsRefusals.listNotFound)
}

/** Deletes a list and all its contacts. A missing list is no error. The list of opt-outs stays. */
export async function deleteContactList(db: Db, accountId: string, listId: string): Promise<void> {
  if (listId.toLowerCase() === accountId) return
  await db.deleteFrom('sms_lists').where('id', '=', listId).where('account_id', '=', accountId).execute()
}

/**
 * Deletes a number from one list, or without `listId` from all lists of the account except its opt-outs.
 * @returns how many entries were deleted
 */
export async function deleteContact(
  db: Db,
  accountId: string,
  { recipient, listId }: { readonly recipient: string; readonly listId?: string | undefined },
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from sms_contacts using sms_lists
    where sms_lists.id = list_id and account_id = ${accountId} and recipient = ${recipient}
      and case when ${listId ?? null}::uuid is null then list_id <> account_id else list_id = ${listId ?? null}::uuid end`.execute(
    db,
  )
  return Number(numAffectedRows ?? 0n)
}

/** @returns how many of these numbers had opted out */
export async function deleteOptOuts(db: Db, accountId: string, recipients: readonly string[]): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from sms_contacts where list_id = ${accountId} and recipient = any(${recipients}::text[])`.execute(db)
  return Number(numAffectedRows ?? 0n)
}

export type Contact = { readonly recipient: string; readonly name: string | null }

export const contactsPerPage = 100

/**
 * Reads a page of a list, in the order of the numbers.
 * @throws RefusalError when the account has no such list
 */
export async function listContacts(
  db: Db,
  accountId: string,
  { listId, after }: { readonly listId: string; readonly after?: string | undefined },
): Promise<{ readonly list: ContactList; readonly contacts: readonly Contact[] }> {
  const { rows: lists } = await sql<ContactList>`${readLists(accountId)} where list.id = ${listId}`.execute(db)
  const [list] = lists
  if (!list) throw new RefusalError(smsRefusals.listNotFound)
  const { rows: contacts } = await sql<Contact>`
    select recipient, name from sms_contacts where list_id = ${listId} and recipient > ${after ?? ''}
    order by recipient limit ${contactsPerPage}`.execute(db)
  return { list, contacts }
}

/**
 * Reads the numbers in these lists of an account.
 * @throws RefusalError when a list is not the account's
 */
export async function readListedRecipients(db: Db, accountId: string, listIds: readonly string[]): Promise<readonly string[]> {
  if (listIds.length === 0) return []
  const wanted = [...new Set(listIds.map((id) => id.toLowerCase()))]
  const owned = await db
    .selectFrom('sms_lists')
    .select('id')
    .where('account_id', '=', accountId)
    .where('id', 'in', wanted)
    .execute()
  if (owned.length !== wanted.length) throw new RefusalError(smsRefusals.listNotFound)
  const { rows } = await sql<{ recipient: string }>`
    select recipient from sms_contacts where list_id = any(${wanted}::uuid[]) order by list_id, recipient`.execute(db)
  return rows.map(({ recipient }) => recipient)
}
