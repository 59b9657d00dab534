import { type RawBuilder, sql } from 'kysely'
import { type Finder, type FinderDeps, type Match, quoteForShell, type SearchText } from '../platform/finding/finder.ts'

type AccountRow = { id: string; email: string; name: string; role: string; status: string }

/** At most this many words of the text are searched for. Few names have more, so further words would not narrow the search. */
const wordsMax = 8
/**
 * The index holds all groups of three characters. A shorter word is searched for with a blank before it, so it is found
 * only at the beginning of a word.
 */
const partLength = 3

const searched = sql`' ' || fold_letters(name || ' ' || email)`

/** Builds the condition that the name or the e-mail contains each word of the text. One index covers both. */
function createWordsCondition(text: string): RawBuilder<boolean> {
  const words = text
    .normalize('NFC')
    .split(/\s+/u)
    .filter((word) => word !== '')
  const wanted = words.slice(0, wordsMax).map((word) => (word.length < partLength ? ` ${word}` : word))
  const conditions = wanted.flatMap((word) => [
    ...(word.length < partLength ? [] : [sql`search_parts(${searched}) @> search_parts(fold_letters(${word}::text))`]),
    sql`strpos(${searched}, fold_letters(${word}::text)) > 0`,
  ])
  return conditions.length === 0 ? sql<boolean>`false` : sql<boolean>`(${sql.join(conditions, sql` and `)})`
}

async function findAccounts({ db }: FinderDeps, { text, id, phoneNumber }: SearchText, limit: number): Promise<Match[]> {
  const phone = phoneNumber === undefined ? null : `233${phoneNumber.slice(1)}`
  const columns = sql`id, email, name, role, status`
  const { rows } = await sql<AccountRow>`
    select * from (select ${columns} from accounts where id = ${id ?? null}::uuid limit 1) as by_id
    union
    select * from (select ${columns} from accounts where lower(email) = ${text.toLowerCase()} limit 1) as by_email
    union
    select ${columns} from accounts
    where id = any(array(select account_id from account_notice_settings where phone = ${phone} limit ${limit}))
    union
    select * from (
      select ${columns} from accounts
      where ${createWordsCondition(text)}
      limit ${limit}
    ) as by_words
    order by name, id limit ${limit}`.execute(db)
  return rows.map(({ id, email, name, role, status }) => ({
    type: 'account',
    id,
    text: `The account of ${name} (${email}), ${role}, ${status}.`,
    next: `makola account show --account ${quoteForShell(email)}`,
    path: `/accounts/${id}`,
  }))
}

/** Finds accounts by their id, their e-mail, the phone number for their notices, or parts of name and e-mail. */
export const accountFinder: Finder = { finds: 'accounts', find: findAccounts }
