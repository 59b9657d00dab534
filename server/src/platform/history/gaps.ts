import { sql } from 'kysely'
import type { Db } from '../database/database.ts'
import { newId } from '../database/new-id.ts'

/** A period whose commits the database has lost. Nothing is sold or sent until people have accepted it. */
export type Gap = {
  readonly id: string
  readonly noticedAt: Date
  readonly noticedBy: string
  readonly reason: string
  /** The last moment that the database still knows. */
  readonly wentBackTo: Date
  /** The last moment of which a process remembers a commit. */
  readonly knownUntil: Date
  readonly acceptedAt: Date | null
  /** Counts of what accepting the gap held back, such as orders that are asked about. */
  readonly keptBack: Readonly<Record<string, number>>
}

const gapColumns = sql`id, noticed_at as "noticedAt", noticed_by as "noticedBy", reason, went_back_to as "wentBackTo",
  known_until as "knownUntil", accepted_at as "acceptedAt", kept_back as "keptBack"`

export async function findOpenGap(db: Db): Promise<Gap | undefined> {
  const { rows } = await sql<Gap>`select ${gapColumns} from history_gaps where accepted_at is null`.execute(db)
  return rows[0]
}

export async function findGap(db: Db, id: string): Promise<Gap | undefined> {
  const { rows } = await sql<Gap>`select ${gapColumns} from history_gaps where id = ${id}`.execute(db)
  return rows[0]
}

/** Finds the newest gap. While a gap is open, it is that one. */
export async function findLastGap(db: Db): Promise<Gap | undefined> {
  const { rows } = await sql<Gap>`select ${gapColumns} from history_gaps order by noticed_at desc limit 1`.execute(db)
  return rows[0]
}

export type NewGap = {
  readonly noticedBy: string
  readonly reason: string
  /** Left out: the moment of the present mark. */
  readonly wentBackTo?: Date | undefined
  /** Left out: now. */
  readonly knownUntil?: Date | undefined
}

/** Begins a gap, or widens the open one to include the new one. @returns the open gap */
export async function beginGap(db: Db, { noticedBy, reason, wentBackTo, knownUntil }: NewGap): Promise<Gap> {
  const { rows } = await sql<Gap>`
    insert into history_gaps (id, noticed_by, reason, went_back_to, known_until)
    select ${newId()}, ${noticedBy}::text, ${reason}::text, coalesce(${wentBackTo ?? null}::timestamptz, moved_at),
      coalesce(${knownUntil ?? null}::timestamptz, clock_timestamp())
    from history_mark
    on conflict ((accepted_at is null)) where accepted_at is null do update
    set went_back_to = least(history_gaps.went_back_to, excluded.went_back_to),
      known_until = greatest(history_gaps.known_until, excluded.known_until)
    returning ${gapColumns}`.execute(db)
  const [gap] = rows
  if (!gap) throw new Error('the table history_mark has lost its row')
  return gap
}
