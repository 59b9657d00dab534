import { sql } from 'kysely'
import { combineReads } from '../../database/combine-reads.ts'
import type { Db } from '../../database/database.ts'

/** The count of requests, this one included, and the time until its window ends. */
export type CountState = { readonly requests: number; readonly remainingMilliseconds: number }

type Question = { readonly key: string }
type CountedRow = { key: string; points: number; remaining: number }

/**
 * Counts requests per key in PostgreSQL, so that all processes share the count, by the database's clock.
 * Requests that arrive together are counted in one statement; the rows are locked in one order.
 */
export function countInDatabase(db: Db, windowMilliseconds: number): (key: string) => Promise<CountState> {
  const count = combineReads<Question, CountState>(async (questions) => {
    const { rows } = await sql<CountedRow>`
      with clock as materialized (select (extract(epoch from clock_timestamp()) * 1000)::bigint as now),
      asked as (select key, count(*)::integer as points from unnest(${questions.map(({ key }) => key)}::text[]) as key group by key)
      insert into rate_limits as held (key, points, expire)
      select key, points, now + ${windowMilliseconds}::integer from asked, clock order by key
      on conflict (key) do update set
        points = case when held.expire <= (select now from clock) then excluded.points else held.points + excluded.points end,
        expire = case when held.expire <= (select now from clock) then excluded.expire else held.expire end
      returning key, points, expire - (select now from clock) as remaining`.execute(db)
    const states = new Map(rows.map((row) => [row.key, row]))
    const left = new Map([...Map.groupBy(questions, ({ key }) => key)].map(([key, ofKey]) => [key, ofKey.length] as const))
    return ({ key }) => {
      const state = states.get(key)
      if (!state) throw new Error('the database did not count a request')
      const after = (left.get(key) ?? 1) - 1
      left.set(key, after)
      return { requests: state.points - after, remainingMilliseconds: state.remaining }
    }
  })
  return (key) => count({ key })
}
