import { sql } from 'kysely'
import { type Finder, type FinderDeps, type Match, quoteForShell, type SearchText } from '../platform/finding/finder.ts'
import { keyDigest } from './make-key.ts'

/** A whole key; or a key in its short form: its beginning, `…` and its last four characters, or these four alone. */
const wholeKey = /^\w+_(?:live|test)_\w{8,}$/
const shownKey = /^(?:\w+…)?(\w{4})$/u

async function findKeys({ db }: FinderDeps, { text, id }: SearchText, limit: number): Promise<Match[]> {
  const digest = wholeKey.test(text) ? keyDigest(text) : null
  const [, hint = null] = shownKey.exec(text) ?? []
  const columns = sql`id, account_id, type, status, hint`
  const { rows } = await sql<{ id: string; email: string; type: string; status: string; hint: string }>`
    select keys.id, accounts.email, keys.type, keys.status, keys.hint
    from (
      select * from (select ${columns} from api_keys where id = ${id ?? null}::uuid limit 1) as by_id
      union
      select * from (select ${columns} from api_keys where digest = decode(${digest}, 'hex') limit 1) as by_digest
      union
      select * from (select ${columns} from api_keys where hint = ${hint} order by id desc limit ${limit}) as by_hint
    ) as keys
    cross join lateral (select email from accounts where accounts.id = keys.account_id limit 1) as accounts
    order by keys.id desc limit ${limit}`.execute(db)
  return rows.map((key) => ({
    type: 'key',
    id: key.id,
    text: `A ${key.type} key of ${key.email}, ${key.status}, that ends with ${key.hint}.`,
    next: `makola key list --account ${quoteForShell(key.email)}`,
    path: `/keys/${key.id}`,
  }))
}

/** Finds API keys by their last four characters, by the whole key, or by the key's id. */
export const keyFinder: Finder = { finds: 'keys', find: findKeys }
