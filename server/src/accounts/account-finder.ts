import { sql } from 'kysely'
import { type Finder, type FinderDeps, type Match, type Wanted, wordOf } from '../platform/finding/finder.ts'

type AccountRow = { id: string; email: string; name: string; role: string; status: string }

/** More words than a name has make a search no narrower. */
const wordsMax = 8

/** Every word of the text as the beginning of a word; null when it has none. */
function beginningsOf(text: string): string | null {
  const words = text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')
  return words.length === 0
    ? null
    : words
        .slice(0, wordsMax)
        .map((word) => `'${word}':*`)
        .join(' & ')
}

async function findAccounts({ db }: FinderDeps, { text, id, phoneNumber }: Wanted, limit: number): Promise<Match[]> {
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
      where to_tsvector('simple', name || ' ' || translate(email, '@.+-_', '     ')) @@ to_tsquery('simple', ${beginningsOf(text)})
      limit ${limit}
    ) as by_words
    order by name, id limit ${limit}`.execute(db)
  return rows.map(({ id, email, name, role, status }) => ({
    type: 'account',
    id,
    text: `The account of ${name} (${email}), ${role}, ${status}.`,
    next: `makola account show --account ${wordOf(email)}`,
    path: `/accounts/${id}`,
  }))
}

/** Finds accounts by their id, their e-mail, the number that their notices go to, or the beginnings of words of name and e-mail. */
export const accountFinder: Finder = { finds: 'accounts', find: findAccounts }
