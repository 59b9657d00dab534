import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import type { KeyType } from '../caller.ts'
import { oldestKeptCallAt } from './record-calls.ts'

/** All given conditions must hold. */
export type CallQuery = {
  readonly accountId: string
  readonly keyId?: string | undefined
  readonly path?: string | undefined
  /** `2xx`: 200 to 399, `4xx`: 400 to 499, `5xx`: 500 to 599. */
  readonly status?: '2xx' | '4xx' | '5xx' | undefined
  readonly reference?: string | undefined
  /** Only calls that placed this order, or repeated the call that did. */
  readonly placedOrderId?: string | undefined
  /** The `next` of the page before. */
  readonly after?: string | undefined
  readonly limit: number
}

export type ListedCall = {
  readonly callId: string
  readonly keyType: KeyType
  /** The last four characters of the key. */
  readonly keyHint: string
  readonly calledAt: Date
  readonly method: string
  readonly path: string
  readonly status: number
  readonly milliseconds: number
  readonly reason: string | null
  readonly references: readonly string[]
  readonly orderId: string | null
}

export type CallInFull = ListedCall & {
  readonly requestId: string
  readonly address: string | null
  readonly request: { readonly params?: object; readonly query?: object; readonly body?: unknown } | null
  readonly response: unknown
}

const isRecent = sql`log.called_at > ${oldestKeptCallAt}`

const statusBounds = { '2xx': [200, 399], '4xx': [400, 499], '5xx': [500, 599] } as const

function conditionsOf(query: CallQuery): RawBuilder<unknown> {
  const { status, path, reference, placedOrderId, after } = query
  const conditions = [isRecent]
  if (status) {
    const [least, most] = statusBounds[status]
    conditions.push(sql`log.status between ${least} and ${most}`)
    // Repeats the condition of the index of refused calls, so that PostgreSQL uses that index.
    if (least >= 400) conditions.push(sql`log.status >= 400`)
  }
  if (path !== undefined) conditions.push(sql`log.path = ${path}`)
  if (reference !== undefined) conditions.push(sql`log.order_references @> array[${reference}]`)
  if (placedOrderId !== undefined) conditions.push(sql`log.order_id = ${placedOrderId} and log.method = 'POST'`)
  if (after !== undefined) conditions.push(sql`log.id < ${after}::uuid`)
  return sql.join(conditions, sql` and `)
}

const listedColumns = sql`
  log.id as "callId", log.called_at as "calledAt", log.method, log.path, log.status, log.milliseconds, log.reason,
  coalesce(log.order_references, '{}') as "references", log.order_id as "orderId"`

/**
 * Lists calls with the keys of an account, newest first. An index has each key's calls in order; the query merges the first
 * calls of the account's few keys.
 */
export async function listCalls(db: Db, query: CallQuery): Promise<{ calls: ListedCall[]; next: string | null }> {
  const wanted = query.limit + 1
  const { rows } = await sql<ListedCall>`
    select calls.*, key.type as "keyType", key.hint as "keyHint"
    from api_keys as key cross join lateral (
      select ${listedColumns} from request_log as log
      where log.key_id = key.id and ${conditionsOf(query)}
      order by log.id desc limit ${wanted}) as calls
    where key.account_id = ${query.accountId} and ${query.keyId === undefined ? sql`true` : sql`key.id = ${query.keyId}`}
    order by calls."callId" desc limit ${wanted}`.execute(db)
  const calls = rows.slice(0, query.limit)
  return { calls, next: rows.length > query.limit ? (calls.at(-1)?.callId ?? null) : null }
}

const fullColumns = sql`${listedColumns}, log.request_id as "requestId", host(log.address) as address, log.request, log.response`

/** Finds a call with its bodies; undefined when the account has none of this id, or it is too old to be shown. */
export async function findCall(db: Db, accountId: string, id: string): Promise<CallInFull | undefined> {
  const { rows } = await sql<CallInFull>`
    select ${fullColumns}, key.type as "keyType", key.hint as "keyHint"
    from api_keys as key join request_log as log on log.key_id = key.id
    where key.account_id = ${accountId} and log.id = ${id} and ${isRecent}`.execute(db)
  return rows[0]
}

/**
 * Finds the newest call with this `X-Request-Id`, which callers may choose themselves. Undefined when there is none, or it is
 * too old to be shown.
 */
export async function findCallOfRequest(db: Db, accountId: string, requestId: string): Promise<CallInFull | undefined> {
  const { rows } = await sql<CallInFull>`
    select calls.*, key.type as "keyType", key.hint as "keyHint"
    from api_keys as key cross join lateral (
      select ${fullColumns} from request_log as log
      where log.key_id = key.id and log.request_id = ${requestId} and ${isRecent}
      order by log.id desc limit 1) as calls
    where key.account_id = ${accountId}
    order by calls."callId" desc limit 1`.execute(db)
  return rows[0]
}

/** Lists the endpoints that an account has called, with one index look-up for each. */
export async function listCalledPaths(db: Db, accountId: string): Promise<string[]> {
  const { rows } = await sql<{ path: string }>`
    with recursive called as (
      select key.id as key_id, (select min(path) from request_log where key_id = key.id) as path
      from api_keys as key where key.account_id = ${accountId}
      union all
      select called.key_id, (select min(log.path) from request_log as log
        where log.key_id = called.key_id and log.path > called.path)
      from called where called.path is not null)
    select distinct path from called where path is not null order by path`.execute(db)
  return rows.map(({ path }) => path)
}
