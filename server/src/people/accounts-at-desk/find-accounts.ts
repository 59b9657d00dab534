import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import { isId } from '../../platform/database/read-id.ts'

/** A search looks for this many words of its text at most, and ignores further ones. */
const wordsMax = 8
/** Where an index finds this many accounts, their ids are not collected; a condition checks each account of the list instead. */
const collectedMax = 2_000
/** Words of at least this length are found anywhere in a name or an e-mail, shorter ones only at the beginning of a word. */
const partLength = 3

/** A key as lists show it: its beginning and dots, which may be absent, then its last four characters. */
const shownKey = /^(?:\w+…)?(\w{4})$/u

type Searched = {
  readonly words: readonly string[]
  readonly phone: string | null
  readonly id: string | null
  readonly hint: string | null
}

function readSearch(text: string): Searched {
  // A letter with an accent becomes one character, so that it counts as one in the length of its word.
  const words = text
    .normalize('NFC')
    .split(/\s+/u)
    .filter((word) => word !== '')
  const digits = text.replaceAll(/[\s()+-]/g, '')
  // Numbers are stored as 233 and nine digits. People write 0 in place of 233, or only the last digits.
  const phone = /^[0-9]{3,12}$/.test(digits) ? digits.replace(/^0/, '') : null
  return {
    words: words.slice(0, wordsMax).map((word) => (word.length < partLength ? ` ${word}` : word)),
    phone: phone !== null && phone.length >= partLength ? phone : null,
    id: isId(text) ? text : null,
    hint: shownKey.exec(text)?.[1] ?? null,
  }
}

/**
 * The condition that a text holds every word, in two forms: one that the index answers, and one that checks a row that
 * was read already.
 */
type Condition = { readonly searched: RawBuilder<boolean>; readonly checked: RawBuilder<boolean> }

function createWordsCondition(text: RawBuilder<string>, words: readonly string[]): Condition {
  const checks = words.map((word) => sql`strpos(${text}, fold_letters(${word}::text)) > 0`)
  // No index is used for a word of one character (two here, with its blank), because it fits too many rows.
  const parts = words.filter((word) => word.length >= partLength)
  const searches = parts.map((word) => sql`search_parts(${text}) @> search_parts(fold_letters(${word}::text))`)
  return {
    searched: sql<boolean>`(${sql.join([...searches, ...checks], sql` and `)})`,
    checked: sql<boolean>`(${sql.join(checks, sql` and `)})`,
  }
}

/** A table whose rows may hold the searched text: its rows, its column with the account's id, and the condition on a row. */
type Source = Condition & { readonly rows: RawBuilder<unknown>; readonly column: RawBuilder<string> }

const ownId = sql<string>`accounts.id`

const exactly = (condition: RawBuilder<boolean>): Condition => ({ searched: condition, checked: condition })

function sourcesOf({ words, phone, id, hint }: Searched): Source[] {
  if (id !== null) return [{ rows: sql`accounts`, column: ownId, ...exactly(sql`accounts.id = ${id}::uuid`) }]
  const personText = sql<string>`' ' || fold_letters(persons.name || ' ' || persons.email)`
  return [
    {
      rows: sql`accounts`,
      column: ownId,
      ...createWordsCondition(sql`' ' || fold_letters(accounts.name || ' ' || accounts.email)`, words),
    },
    {
      rows: sql`persons join members on members.person_id = persons.id`,
      column: sql`members.account_id`,
      ...createWordsCondition(personText, words),
    },
    {
      rows: sql`business_requests`,
      column: sql`account_id`,
      ...createWordsCondition(sql`' ' || fold_letters(business_requests.name)`, words),
    },
    ...(phone === null
      ? []
      : [{ rows: sql`account_notice_settings`, column: sql<string>`account_id`, ...createWordsCondition(sql`phone`, [phone]) }]),
    ...(hint === null ? [] : [{ rows: sql`api_keys`, column: sql<string>`account_id`, ...exactly(sql`hint = ${hint}`) }]),
  ]
}

/** `ids`: the accounts of the rows that fit; undefined when there are too many to collect. */
type SearchedSource = Source & { readonly ids: readonly string[] | undefined }

async function collectAccounts(db: Db, source: Source): Promise<SearchedSource> {
  const { rows } = await sql<{ id: string }>`
    select ${source.column} as id from ${source.rows} where ${source.searched} limit ${collectedMax}`.execute(db)
  return { ...source, ids: rows.length < collectedMax ? rows.map(({ id }) => id) : undefined }
}

/** The condition on `accounts` for a source with too many accounts to collect. */
function listCondition({ rows, column, checked, searched }: Source, isNear: boolean): RawBuilder<boolean> {
  if (column === ownId) return checked
  // Near: many accounts fit by their own name, and there is no filter, so the next fitting account is near in the list. The
  // list is read in its order until the page is full, and this subquery checks each account; for an `exists` PostgreSQL would
  // check all rows first. Not near: all accounts that fit are read and sorted.
  return isNear
    ? sql<boolean>`(select true from ${rows} where ${column} = accounts.id and ${checked} limit 1)`
    : sql<boolean>`accounts.id in (select ${column} from ${rows} where ${searched})`
}

/**
 * The condition on `accounts` for a search. The indexes alone answer a search that fits few accounts. One that fits many, such as
 * the name of a mail provider, is checked while the list is read.
 */
async function conditionOf(db: Db, text: string, hasFilters: boolean): Promise<RawBuilder<boolean>> {
  const sources = await Promise.all(sourcesOf(readSearch(text)).map((source) => collectAccounts(db, source)))
  const isNear = !hasFilters && sources.some(({ column, ids }) => column === ownId && ids === undefined)
  const ids = [...new Set(sources.flatMap((source) => source.ids ?? []))]
  const conditions = sources.filter((source) => source.ids === undefined).map((source) => listCondition(source, isNear))
  return sql<boolean>`(${sql.join([...conditions, sql`accounts.id = any(${ids}::uuid[])`], sql` or `)})`
}

export type AccountsQuery = {
  /** Part of a name, an e-mail, a number or a business's name; the account's id; the last four characters of a key. */
  readonly search?: string | undefined
  readonly role?: 'customer' | 'agent' | 'dealer' | undefined
  readonly status?: 'active' | 'suspended' | undefined
  readonly isBusiness?: boolean | undefined
  /** Pesewas: only accounts with less in the main wallet. */
  readonly balanceBelow?: number | undefined
  readonly activeWithinDays?: number | undefined
  readonly quietForDays?: number | undefined
  /** The id of the last account of the page before. */
  readonly after?: string | undefined
  readonly limit: number
}

export type FoundAccount = {
  readonly accountId: string
  readonly name: string
  readonly email: string
  readonly role: 'customer' | 'agent' | 'dealer'
  readonly roleExpiresAt: Date | null
  readonly status: 'active' | 'suspended'
  readonly isBusiness: boolean
  readonly createdAt: Date
  /** Pesewas in the main wallet. */
  readonly main: number
  /** True when the balance is below the limit at which the reseller asked to be alerted. */
  readonly isLow: boolean
  /** The time when one of its keys or people was last active; null when none is known. */
  readonly lastActiveAt: Date | null
}

const activeSince = (days: number) => sql<boolean>`(
  accounts.id in (select account_id from api_keys where last_used_at > clock_timestamp() - make_interval(days => ${days}::int))
  or accounts.id in (
    select members.account_id from members join person_sessions as session on session.person_id = members.person_id
    where session.updated_at > clock_timestamp() - make_interval(days => ${days}::int)))`

function filtersOf(query: AccountsQuery): RawBuilder<boolean>[] {
  const { role, status, isBusiness, balanceBelow, activeWithinDays, quietForDays } = query
  return [
    ...(role === undefined ? [] : [sql<boolean>`accounts.role = ${role}`]),
    ...(status === undefined ? [] : [sql<boolean>`accounts.status = ${status}`]),
    ...(isBusiness === undefined ? [] : [sql<boolean>`accounts.is_business = ${isBusiness}`]),
    ...(balanceBelow === undefined ? [] : [sql<boolean>`main.balance < ${balanceBelow}`]),
    ...(activeWithinDays === undefined ? [] : [activeSince(activeWithinDays)]),
    ...(quietForDays === undefined ? [] : [sql<boolean>`not ${activeSince(quietForDays)}`]),
  ]
}

/** Lists the accounts that fit a query, newest first, a page at a time. */
export async function findAccountsFor(db: Db, query: AccountsQuery): Promise<{ accounts: FoundAccount[]; next: string | null }> {
  const text = query.search?.trim() ?? ''
  const filters = filtersOf(query)
  const found = text === '' ? [] : [await conditionOf(db, text, filters.length > 0)]
  const conditions = [
    ...found,
    ...filters,
    ...(query.after === undefined ? [] : [sql<boolean>`accounts.id < ${query.after}::uuid`]),
  ]
  const { rows } = await sql<FoundAccount>`
    with page as (
      select accounts.*, main.balance from accounts
      join wallets as main on main.account_id = accounts.id and main.purse = 'main'
      where ${conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `)}
      order by accounts.id desc limit ${query.limit + 1}
    )
    select page.id as "accountId", page.name, page.email, page.role, page.role_expires_at as "roleExpiresAt", page.status,
      page.is_business as "isBusiness", page.created_at as "createdAt", page.balance::bigint as main,
      coalesce(page.balance < limits.low_balance, false) as "isLow",
      greatest(
        (select max(last_used_at) from api_keys where account_id = page.id),
        (select max(session.updated_at) from members join person_sessions as session on session.person_id = members.person_id
          where members.account_id = page.id)) as "lastActiveAt"
    from page left join account_notice_settings as limits on limits.account_id = page.id
    order by page.id desc`.execute(db)
  const accounts = rows.slice(0, query.limit)
  return { accounts, next: rows.length > query.limit ? (accounts.at(-1)?.accountId ?? null) : null }
}
