import { CompiledQuery, sql } from 'kysely'
import type { Db } from '../database/database.ts'

/** A mark: a position in the database's history that a process knows to be committed. */
export type Mark = {
  readonly databaseId: string
  readonly position: number
  /** The start time of the database server at the moment of the mark. Every start of the server has another value. */
  readonly line: string
  /** The time of the mark by the database's clock. Only for people: no code decides by it, because clocks are moved. */
  readonly at: Date
  /** The gaps that people had accepted until then. */
  readonly gaps: readonly string[]
}

/** A connection that was just made, before anything else uses it. */
export type NewConnection = { query(text: string, values: unknown[]): Promise<{ rows: unknown[] }> }

/** Makes a `NewConnection` of a `db` that uses a single connection. */
export const connectionOf = (one: Db): NewConnection => ({
  query: (text, values) => one.executeQuery(CompiledQuery.raw(text, values)),
})

/** The present mark and gaps of the database, to compare with a remembered mark. */
export type HistoryRow = {
  readonly databaseId: string
  readonly position: number
  readonly movedAt: Date
  readonly line: string
  readonly openGap: string | null
  readonly gaps: readonly string[]
  readonly isLineKnown: boolean
  /** The last position of the remembered line, when another line has begun since. */
  readonly lineEnd: number | null
  readonly lineEndAt: Date | null
}

const acceptedGaps = `array(select id::text from history_gaps where accepted_at is not null order by accepted_at)`
const lineOfServer = `extract(epoch from pg_postmaster_start_time())::text`

/** Reads the database's mark and gaps. `$1`: `line` of a remembered mark. */
const historyQuery = `
  select database_id as "databaseId", position, moved_at as "movedAt", ${lineOfServer} as line,
    (select id from history_gaps where accepted_at is null) as "openGap",
    ${acceptedGaps} as gaps,
    known.line is not null as "isLineKnown", next.began_after as "lineEnd", next.began_after_at as "lineEndAt"
  from history_mark
  left join history_lines as known on known.line = $1
  left join lateral (
    select began_after, began_after_at from history_lines as later where later.began_after > known.began_after
    order by later.began_after limit 1
  ) as next on true`

export async function readHistory(connection: NewConnection, known: Mark | undefined): Promise<HistoryRow> {
  const { rows } = await connection.query(historyQuery, [known?.line ?? ''])
  const [row] = rows as HistoryRow[]
  if (!row) throw new Error('the table history_mark has lost its row')
  return row
}

/**
 * Compares a remembered mark with the database. `behind`: the database does not know what was committed. `accepted`: people have
 * accepted a gap that the mark does not know, so what is lost is a part of it. `other`: it is another database.
 */
export function compareMark(known: Mark, row: HistoryRow): 'fine' | 'behind' | 'accepted' | 'other' {
  if (known.databaseId !== row.databaseId) return 'other'
  if (row.gaps.some((id) => !known.gaps.includes(id))) return 'accepted'
  if (!row.isLineKnown) return 'behind'
  return known.position <= (row.lineEnd ?? row.position) ? 'fine' : 'behind'
}

export type MovedMark = { readonly mark: Mark | undefined; readonly openGap: string | null }

type MovedRow = Omit<Mark, 'position' | 'at'> & { position: number | null; at: Date | null; openGap: string | null }

/**
 * Adds 1 to the number in `history_mark` and commits, unless a gap is open. The first time after a start of the database server it
 * also writes a row into `history_lines`.
 */
export async function moveMark(db: Db): Promise<MovedMark> {
  const { rows } = await sql<MovedRow>`
    with before as materialized (
      select database_id, position, moved_at, ${sql.raw(lineOfServer)} as line,
        (select id from history_gaps where accepted_at is null) as open_gap, ${sql.raw(acceptedGaps)} as gaps
      from history_mark
    ), moved as (
      update history_mark set position = history_mark.position + 1, moved_at = clock_timestamp()
      from before where before.open_gap is null
      returning history_mark.position, history_mark.moved_at
    ), begun as (
      insert into history_lines (line, began_after, began_after_at)
      select line, before.position, before.moved_at from before, moved
      on conflict do nothing
    )
    select before.database_id as "databaseId", before.line, before.open_gap as "openGap", before.gaps, moved.position, moved.moved_at as at
    from before left join moved on true`.execute(db)
  const [row] = rows
  if (!row) throw new Error('the table history_mark has lost its row')
  const { position, at, openGap, ...rest } = row
  return { mark: position === null || at === null ? undefined : { ...rest, position, at }, openGap }
}
