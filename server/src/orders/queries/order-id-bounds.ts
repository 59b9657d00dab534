import { type RawBuilder, sql } from 'kysely'
import { firstIdAt, momentOfId } from '../../platform/database/first-id-at.ts'

/** The times of a list of orders, and its direction. */
export type OrderTimes = {
  readonly isStuckOnly?: boolean
  readonly from?: Date
  /** This moment is included, to the millisecond. */
  readonly to?: Date
  /** This moment is not included. */
  readonly before?: Date
}

/** Conditions that a column of order ids must fulfil, as `column < …`. */
export type IdBounds = (column: string) => RawBuilder<boolean>

export function allOf(conditions: readonly RawBuilder<boolean>[]): RawBuilder<boolean> {
  return conditions.length === 0 ? sql<boolean>`true` : sql<boolean>`(${sql.join(conditions, sql` and `)})`
}

/** A process makes an order's id before the intake, and the database writes its time later. The two differ by at most this. */
const idToleranceMilliseconds = 60_000

/** Stuck orders are listed oldest first: the one that has waited longest is the most urgent. */
export const isOldestFirst = (query: OrderTimes) => query.isStuckOnly === true

export function idBoundsOf(query: OrderTimes, after: string | undefined): IdBounds {
  const { from, to, before } = query
  return (column) => {
    const id = sql.ref(column)
    return allOf([
      ...(from ? [sql<boolean>`${id} >= ${firstIdAt(from.getTime() - idToleranceMilliseconds)}::uuid`] : []),
      ...(to ? [sql<boolean>`${id} < ${firstIdAt(to.getTime() + idToleranceMilliseconds)}::uuid`] : []),
      ...(before ? [sql<boolean>`${id} < ${firstIdAt(before.getTime() + idToleranceMilliseconds)}::uuid`] : []),
      ...(after ? [sql<boolean>`${id} ${isOldestFirst(query) ? sql`>` : sql`<`} ${after}::uuid`] : []),
    ])
  }
}

const monthsOfQuarter = 3

/** The start of the month that is `later` months after the month of a moment; below 0: before it. */
function startOfMonth(moment: number, later = 0): number {
  const at = new Date(moment)
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + later)
}

const startOfQuarter = (moment: number) => startOfMonth(moment, -(new Date(moment).getUTCMonth() % monthsOfQuarter))

/** An id in the text of a statement and not as a parameter, so that a plan which PostgreSQL keeps leaves out other months. */
const idInText = (moment: number) => sql`${sql.lit(firstIdAt(moment))}::uuid`

/**
 * Divides sorted ids by quarters of a year, and gives the bounds of each quarter. So a statement that reads orders by ids is
 * planned for the partitions of three months, and there are few different texts of statements.
 */
export function cutByQuarter(ids: readonly string[]): { ids: string[]; within: IdBounds }[] {
  const quarters = Map.groupBy(ids, (id) => startOfQuarter(momentOfId(id)))
  return [...quarters].map(([start, those]) => ({
    ids: those,
    within: (column) => {
      const end = startOfMonth(start, monthsOfQuarter)
      return sql<boolean>`(${sql.ref(column)} >= ${idInText(start)} and ${sql.ref(column)} < ${idInText(end)})`
    },
  }))
}

/**
 * The bounds of a query, cut in two: its newest month and the month before, which mostly have enough orders, and all earlier
 * time. For oldest first they are not cut.
 */
export function cutIdBounds(query: OrderTimes, after: string | undefined): IdBounds[] {
  const within = idBoundsOf(query, after)
  if (isOldestFirst(query)) return [within]
  const { from, to, before } = query
  const ends = [to, before].flatMap((end) => (end ? [end.getTime() + idToleranceMilliseconds] : []))
  const end = Math.min(...ends, after === undefined ? Infinity : momentOfId(after))
  const now = Date.now()
  const cut = startOfMonth(Math.min(end, now), -1)
  // Most lists begin now, and have the cut in their text. In other lists it is a parameter, so that there are few texts.
  const bound = end < now ? sql`${firstIdAt(cut)}::uuid` : idInText(cut)
  const late: IdBounds = (column) => allOf([within(column), sql<boolean>`${sql.ref(column)} >= ${bound}`])
  const early: IdBounds = (column) => allOf([within(column), sql<boolean>`${sql.ref(column)} < ${firstIdAt(cut)}::uuid`])
  return from && from.getTime() - idToleranceMilliseconds >= cut ? [late] : [late, early]
}
