import { sql } from 'kysely'
import { transfersOfDay } from '../money/audit-pieces/cut-audit.ts'
import type { ProductFacts } from '../orders/product-facts.ts'
import type { Db, Tx } from '../platform/database/database.ts'
import { type BackgroundShare, wholeShare } from '../platform/housekeeping/background-share.ts'
import { appendOperatorLog } from '../platform/operator-log/append-operator-log.ts'
import { countFigures, isStillCounted, keptUntil, recountCosts, type Span } from './count-figures.ts'

/** The row of `report_progress`: how far the daily sums go. */
type Progress = {
  readonly counted: string
  readonly first_day: string
  readonly oldest_day: string
  readonly searched_from: string
  readonly restored_until: string
  /** True when the server's transaction ids are lower than the counted ones: the database was restored on another server. */
  readonly is_restored: boolean
}

/** Lets only one process at a time count, or reset the counting. Readers do not wait for it. */
const lockCounting = sql`lock table report_progress in share row exclusive mode`

/**
 * Runs the work in one snapshot, so that exactly the rows that it counts are recorded as counted. `now()` is the beginning
 * of the transaction, a little before the snapshot. The lock is taken before the snapshot, so a process that has waited for
 * another one sees everything that the other one counted.
 */
function inSnapshot<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      await lockCounting.execute(tx)
      return work(tx)
    })
}

async function readProgress(tx: Tx): Promise<Progress | undefined> {
  const { rows } = await sql<Progress>`
    select counted::text, first_day::text, oldest_day::text, searched_from::text, restored_until::text,
      pg_snapshot_xmax(pg_current_snapshot()) < pg_snapshot_xmax(counted) as is_restored
    from report_progress for update`.execute(tx)
  return rows[0]
}

const beginOf = (day: string) => sql`(${day}::date::timestamp at time zone 'Africa/Accra')`

/**
 * Starts the counting: yesterday and today, because only these can still change. Rows whose transaction ids this server has not
 * reached yet come from a restored database. Their ids mean nothing here, so `restored_until` decides by their times. The sums of
 * days up to the last month that is put away are kept, because their rows are not there to be counted.
 */
async function begin(tx: Tx, products: readonly ProductFacts[]): Promise<void> {
  for (const table of ['daily_figures', 'daily_purses'] as const) {
    await sql`delete from ${sql.table(table)} where ${isStillCounted(sql`day`)}`.execute(tx)
  }
  await tx.deleteFrom('report_progress').execute()
  const { rows } = await sql<{ first_day: string }>`
    with clock as (
      select (now() at time zone 'Africa/Accra')::date - 1 as first_day
    ), range as (
      select first_day, first_day::timestamp at time zone 'Africa/Accra' as first_moment from clock
    )
    insert into report_progress (
      counted, counted_at, first_day, oldest_day, searched_from, restored_until, mark_xmax, mark_at)
    select pg_current_snapshot(), now(), first_day,
      greatest(${keptUntil}, least(first_day, (select (min(created_at) at time zone 'Africa/Accra')::date from transfers))), first_moment,
      coalesce(greatest(
        (select max(created_at) from transfers where created_at >= first_moment
          and transaction_id >= pg_snapshot_xmax(pg_current_snapshot())),
        (select max(created_at) from order_events where created_at >= first_moment
          and transaction_id >= pg_snapshot_xmax(pg_current_snapshot()))), '-infinity'),
      pg_snapshot_xmax(pg_current_snapshot()), now()
    from range
    returning first_day::text`.execute(tx)
  const firstDay = rows[0]?.first_day
  if (firstDay === undefined) throw new Error('the roll-up did not begin')
  await countFigures(tx, products, () => sql`created_at >= ${beginOf(firstDay)}`)
}

/** Rows that were committed since the last count, whatever their time: the snapshot of the last count did not see them. */
const sinceThen =
  ({ counted, searched_from, restored_until }: Progress): Span =>
  () =>
    sql`created_at >= ${searched_from}::timestamptz and created_at > ${restored_until}::timestamptz
      and not pg_visible_in_snapshot(transaction_id, ${counted}::pg_snapshot)`

/**
 * Counts everything that was committed since the last count. `mark_at` is the time of an earlier snapshot. Transactions that
 * had not written anything by then write rows with later times. Once all others have ended, only rows from ten minutes before
 * `mark_at` on are searched. The ten minutes are for clocks that were set back.
 */
async function countNews(tx: Tx, products: readonly ProductFacts[], progress: Progress): Promise<void> {
  await countFigures(tx, products, sinceThen(progress))
  await sql`
    update report_progress
    set counted = pg_current_snapshot(), counted_at = now(),
      searched_from = case when is_past then greatest(searched_from, mark_at - interval '10 minutes') else searched_from end,
      mark_xmax = case when is_past then pg_snapshot_xmax(pg_current_snapshot()) else mark_xmax end,
      mark_at = case when is_past then now() else mark_at end
    from (select pg_snapshot_xmin(pg_current_snapshot()) >= mark_xmax as is_past from report_progress) as mark`.execute(tx)
}

/** The most days, and the most transfers, that one query counts. A day with more transfers is counted alone. */
const [daysAtOnce, transfersAtOnce] = [92, 5_000]

/**
 * Counts the newest day that is not counted yet, or several days at once if they have few transfers. These days ended at least
 * a day ago, so no rows are added to them any more.
 */
async function countOlderDays(tx: Tx, products: readonly ProductFacts[]): Promise<boolean> {
  const progress = await readProgress(tx)
  if (!progress || progress.first_day <= progress.oldest_day) return false
  const { rows } = await sql<{ day: string }>`
    select min(day)::text as day from (
      select day, ago, sum(${transfersOfDay(sql`day`)}) over (order by ago) as transfers
      from generate_series(1, least(${progress.first_day}::date - ${progress.oldest_day}::date, ${daysAtOnce}::integer)) as ago
      cross join lateral (select ${progress.first_day}::date - ago as day) as older
    ) as newest where ago = 1 or transfers <= ${transfersAtOnce}`.execute(tx)
  const day = rows[0]?.day ?? ''
  await countFigures(tx, products, () => sql`created_at >= ${beginOf(day)} and created_at < ${beginOf(progress.first_day)}`)
  await sql`update report_progress set first_day = ${day}::date`.execute(tx)
  return true
}

/** The rows of a day that the daily sums hold. */
const countedOf =
  (day: string, { counted, restored_until }: Progress): Span =>
  () =>
    sql`created_at >= ${beginOf(day)} and created_at < ${beginOf(day)} + interval '1 day'
      and (created_at <= ${restored_until}::timestamptz
        or pg_visible_in_snapshot(transaction_id, ${counted}::pg_snapshot))`

/**
 * Counts again the costs of one day: the first day from which somebody changed a cost. The next call takes the day after it. Days
 * that are counted later have the new cost anyway.
 */
async function recountDayOfCosts(tx: Tx, products: readonly ProductFacts[]): Promise<boolean> {
  const progress = await readProgress(tx)
  if (!progress) return false
  const { rows } = await sql<{ since: string; day: string; is_over: boolean }>`
    select min(since)::text as since, day::text, day > (now() at time zone 'Africa/Accra')::date as is_over
    from (select since, greatest(since, ${progress.first_day}::date, ${keptUntil}) as day from cost_recounts order by since limit 1) as first
    group by day`.execute(tx)
  const [next] = rows
  if (!next) return false
  const { since, day, is_over: isOver } = next
  await sql`delete from cost_recounts where since = ${since}::date`.execute(tx)
  if (isOver) return true
  await recountCosts(tx, products, day, countedOf(day, progress))
  await sql`insert into cost_recounts (since) values (${day}::date + 1) on conflict do nothing`.execute(tx)
  return true
}

/** Time limit of one round of counting older days. */
const olderDaysMilliseconds = 10_000

/**
 * Brings the daily sums up to date: everything committed since the last count, then, for about ten seconds, days whose costs
 * were changed and older days that are not counted yet. It may be interrupted at any point, because the sums and the progress
 * are written in one transaction.
 * @returns `isComplete`: no such day is left
 */
export async function rollUp(
  db: Db,
  products: readonly ProductFacts[],
  share: BackgroundShare = wholeShare,
): Promise<{ readonly isComplete: boolean }> {
  await share.piece(() =>
    inSnapshot(db, async (tx) => {
      const progress = await readProgress(tx)
      if (!progress || progress.is_restored) await begin(tx, products)
      else await countNews(tx, products, progress)
    }),
  )
  const end = performance.now() + olderDaysMilliseconds
  while (performance.now() < end) {
    const isMore = await share.piece(() =>
      inSnapshot(db, async (tx) => (await recountDayOfCosts(tx, products)) || (await countOlderDays(tx, products))),
    )
    if (!isMore) return { isComplete: true }
  }
  return { isComplete: false }
}

/** Forgets the progress, so that the worker counts everything again, the newest days first. */
export async function deleteCounts(tx: Tx): Promise<void> {
  await lockCounting.execute(tx)
  await tx.deleteFrom('report_progress').execute()
}

/** Forgets all counted days at the operator's request, so that the worker counts them again. */
export async function recountFromRows(tx: Tx, actor: string): Promise<void> {
  await deleteCounts(tx)
  await appendOperatorLog(tx, { actor, action: 'report recount', subject: 'reports' })
}
