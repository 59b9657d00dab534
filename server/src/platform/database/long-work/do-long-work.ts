import { setTimeout as wait } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../database.ts'
import { classifyDatabaseError } from '../database-errors.ts'
import { inTransaction } from '../in-transaction.ts'
import type { BatchWork, IndexWork, LongWork } from './read-long-work.ts'

export type LongWorkProgress = {
  readonly migration: string
  /** The unit of `done` and `inAll`: rows, or partitions of the table that have their index. */
  readonly unit: 'rows' | 'partitions'
  readonly done: number
  /** Approximate, because rows that are added during the work are done too. */
  readonly inAll: number
  /** By the pace of this run. Undefined before its first step. */
  readonly secondsLeft: number | undefined
}

export type OnLongWorkProgress = (progress: LongWorkProgress) => void

/** After each batch the work rests as long as the batch took, so that it takes half of one connection's time at most. */
const restTimes = 1

/** A statement that waits for a lock keeps all later ones waiting. So a step gives up after this time, and is tried again. */
const lockMilliseconds = 1_000
const lockPauseMilliseconds = 500

/** Repeats a step until it gets its locks. A step that failed was rolled back. */
async function retryWhileLocked<T>(step: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await step()
    } catch (error) {
      if (classifyDatabaseError(error) !== 'lock_not_available') throw error
      await wait(lockPauseMilliseconds)
    }
  }
}

/** Reports the progress, with the time left at the pace since this run began. */
function openProgress(migration: string, unit: LongWorkProgress['unit'], onProgress: OnLongWorkProgress | undefined) {
  const startedAt = performance.now()
  let doneAtStart: number | undefined
  return (done: number, inAll: number) => {
    doneAtStart ??= done
    const secondsEach = done > doneAtStart ? (performance.now() - startedAt) / 1_000 / (done - doneAtStart) : undefined
    const secondsLeft = secondsEach && secondsEach * Math.max(0, inAll - done)
    onProgress?.({ migration, unit, done, inAll, secondsLeft })
  }
}

/** The statement of a batch with the keys of its first and last row. */
function statementFor({ statement }: BatchWork, first: string, last: string): RawBuilder<unknown> {
  const parts = statement.split(/(:first|:last)\b/)
  return sql.join(
    parts.map((part) => (part === ':first' ? sql`${first}` : part === ':last' ? sql`${last}` : sql.raw(part))),
    sql``,
  )
}

type Batch = { readonly first: string | null; readonly last: string | null; readonly rows: number }

/** Changes the next rows, and notes the last of them in the same transaction. @returns undefined after the last row */
async function doBatch(tx: Tx, migration: string, work: BatchWork): Promise<{ done: number; inAll: number } | undefined> {
  await sql`select set_config('lock_timeout', ${String(lockMilliseconds)}, true)`.execute(tx)
  const { rows: state } = await sql<{ cursor: string | null }>`
    select cursor from long_work where migration = ${migration} for update`.execute(tx)
  const cursor = state[0]?.cursor ?? null
  const key = sql.ref(work.key)
  const later = cursor === null ? sql`` : sql`where ${key} > ${cursor}`
  const { rows } = await sql<Batch>`
    select (array_agg(key order by key))[1]::text as first, (array_agg(key order by key desc))[1]::text as last, count(*)::int as rows
    from (select ${key} as key from ${sql.table(work.table)} ${later} order by ${key} limit ${work.rowsMax}) as batch`.execute(tx)
  const { first = null, last = null, rows: count = 0 } = rows[0] ?? {}
  if (first === null || last === null) return undefined
  await statementFor(work, first, last).execute(tx)
  const { rows: noted } = await sql<{ done: number; in_all: number }>`
    update long_work set cursor = ${last}, rows_done = rows_done + ${count}, updated_at = clock_timestamp()
    where migration = ${migration} returning rows_done as done, rows_in_all as in_all`.execute(tx)
  return { done: noted[0]?.done ?? 0, inAll: noted[0]?.in_all ?? 0 }
}

/** Estimates the number of rows of a table with its partitions, from PostgreSQL's statistics. */
const countAbout = (table: string) => sql`
  (select coalesce(sum(greatest(reltuples, 0)), 0)::bigint from pg_class
    where oid in (select relid from pg_partition_tree(${table}::regclass) where isleaf union all select ${table}::regclass))`

async function doBatches(db: Db, migration: string, work: BatchWork, onProgress?: OnLongWorkProgress): Promise<void> {
  await sql`
    insert into long_work (migration, rows_in_all) values (${migration}, ${countAbout(work.table)}) on conflict do nothing`.execute(
    db,
  )
  const show = openProgress(migration, 'rows', onProgress)
  for (;;) {
    const beganAt = performance.now()
    const at = await retryWhileLocked(() => inTransaction(db, (tx) => doBatch(tx, migration, work)))
    if (!at) break
    show(at.done, Math.max(at.done, at.inAll))
    await wait((performance.now() - beganAt) * restTimes)
  }
  await sql`update long_work set ended_at = clock_timestamp() where migration = ${migration}`.execute(db)
}

/** The partitions of a table, oldest first, each with its index, if there is one. */
async function listPartitions(db: Db, { table, name }: IndexWork) {
  const { rows } = await sql<{ partition: string; index: string; is_there: boolean; is_valid: boolean }>`
    select partition.relname as partition, names.index, made.indexrelid is not null as is_there,
      coalesce(made.indisvalid, false) as is_valid
    from pg_inherits join pg_class as partition on partition.oid = pg_inherits.inhrelid
    cross join lateral (select ${name} || right(partition.relname, -length(${table})) as index) as names
    left join pg_index as made on made.indexrelid = to_regclass(names.index)
    where pg_inherits.inhparent = ${table}::regclass
      and not exists (select from pg_index as own join pg_inherits as child on child.inhrelid = own.indexrelid
        where own.indrelid = partition.oid and child.inhparent = to_regclass(${name}))
    order by partition.relname`.execute(db)
  return rows
}

/**
 * Makes the index of the whole table without its partitions, which takes a moment. Then makes the index of each partition,
 * while others write to it, and attaches it. A partition that is made meanwhile gets its index at once. The whole index is
 * valid when all partitions have theirs.
 */
async function doIndex(db: Db, migration: string, work: IndexWork, onProgress?: OnLongWorkProgress): Promise<void> {
  const { name, table, unique, rest, afterwards } = work
  const run = (text: string) => retryWhileLocked(() => sql.raw(text).execute(db))
  const setLockTimeout = (milliseconds: number) =>
    sql`select set_config('lock_timeout', ${String(milliseconds)}, false)`.execute(db)
  await setLockTimeout(lockMilliseconds)
  await run(`create ${unique}index if not exists ${name} on only ${table} ${rest}`)
  const partitions = await listPartitions(db, work)
  const show = openProgress(migration, 'partitions', onProgress)
  show(0, partitions.length)
  for (const [done, { partition, index, is_there: isThere, is_valid: isValid }] of partitions.entries()) {
    // `concurrently` keeps nobody waiting, and may itself wait for long readers.
    await setLockTimeout(0)
    if (isThere && !isValid) await run(`drop index concurrently ${index}`)
    if (!isValid) await run(`create ${unique}index concurrently ${index} on ${partition} ${rest}`)
    await setLockTimeout(lockMilliseconds)
    await run(`alter index ${name} attach partition ${index}`)
    show(done + 1, partitions.length)
  }
  for (const statement of afterwards) await run(statement)
  await sql`reset lock_timeout`.execute(db)
}

/**
 * Does a migration's long work, from where it was broken off. Others buy and dispatch meanwhile: a step keeps them waiting only
 * while it takes a lock or changes some rows.
 * @param db one connection, not in a transaction
 */
export function doLongWork(db: Db, migration: string, work: LongWork, onProgress?: OnLongWorkProgress): Promise<void> {
  return work.kind === 'index' ? doIndex(db, migration, work, onProgress) : doBatches(db, migration, work, onProgress)
}
