import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { type BackgroundShare, wholeShare } from '../../platform/housekeeping/background-share.ts'
import { lastStep, stepsPerDoubling } from './time-steps.ts'

const hourMilliseconds = 3_600_000

/** Days whose hours are counted: as many as a screen may show, and one more. */
const countedDays = 8

/** Older hours are deleted. */
const keptDays = 35

/** We assume that an attempt is committed at most this long after its time. */
const commitMinutes = 2

/** How often an older hour with open attempts is counted again. */
const olderMinutes = 15

/** Time limit of one round of counting. The first hour is counted in any case. */
const olderHoursMilliseconds = 10_000

/** Hours to count now, newest first: those never counted, those counted before they were over, and those with open attempts. */
async function listDueHours(db: Db): Promise<Date[]> {
  const { rows } = await sql<{ hour: Date }>`
    select hours.hour from generate_series(
      date_trunc('hour', clock_timestamp()) - make_interval(days => ${countedDays}),
      date_trunc('hour', clock_timestamp()), interval '1 hour') as hours (hour)
    left join supplier_hours_counted as counted on counted.hour = hours.hour
    where counted.hour is null
      or counted.counted_at < hours.hour + interval '1 hour' + make_interval(mins => ${commitMinutes})
      or (counted.open > 0 and (hours.hour > clock_timestamp() - interval '3 hours'
        or counted.counted_at < clock_timestamp() - make_interval(mins => ${olderMinutes})))
    order by hours.hour desc`.execute(db)
  return rows.map((row) => row.hour)
}

const stepOf = (from: RawBuilder<unknown>, to: RawBuilder<unknown>) =>
  sql`least(${lastStep}, floor(${stepsPerDoubling} * ln(greatest(1, extract(epoch from ${to} - ${from}) * 1000)::float8) / ln(2))::integer)`

/** Counts one hour of all suppliers, replacing its earlier count. */
async function countHour(tx: Tx, hour: Date): Promise<void> {
  const end = new Date(hour.getTime() + hourMilliseconds)
  await sql`delete from supplier_hours where hour = ${hour}`.execute(tx)
  await sql`
    with sent as materialized (
      select supplier, coalesce(outcome, '') as outcome,
        case when outcome in ('delivered', 'accepted') then coalesce(said.reported_cost, expected_cost, 0) else 0 end as cost,
        case when said.first_at is not null then ${stepOf(sql`created_at`, sql`said.first_at`)} end as answer_step,
        case when outcome = 'delivered' then ${stepOf(sql`created_at`, sql`answered_at`)} end as delivery_step
      from attempts
      left join lateral (
        select min(created_at) filter (where source = 'send') as first_at,
          (array_agg(reported_cost order by answer_no desc) filter (where reported_cost is not null))[1] as reported_cost
        from attempt_answers where order_id = attempts.order_id and attempt_no = attempts.attempt_no
      ) as said on true
      where created_at >= ${hour} and created_at < ${end}
    ), answers as (
      select supplier, outcome, jsonb_object_agg(answer_step, count) as steps from (
        select supplier, outcome, answer_step, count(*) as count from sent where answer_step is not null group by 1, 2, 3
      ) as step group by 1, 2
    ), deliveries as (
      select supplier, outcome, jsonb_object_agg(delivery_step, count) as steps from (
        select supplier, outcome, delivery_step, count(*) as count from sent where delivery_step is not null group by 1, 2, 3
      ) as step group by 1, 2
    )
    insert into supplier_hours (hour, supplier, outcome, attempts, cost, answer_steps, delivery_steps)
    select ${hour}, supplier, outcome, count(*), sum(cost)::bigint,
      coalesce((select steps from answers where (answers.supplier, answers.outcome) = (sent.supplier, sent.outcome)), '{}'),
      coalesce((select steps from deliveries where (deliveries.supplier, deliveries.outcome) = (sent.supplier, sent.outcome)), '{}')
    from sent group by supplier, outcome`.execute(tx)
  await sql`
    insert into supplier_hours_counted (hour, counted_at, open)
    values (${hour}, now(), (select coalesce(sum(attempts), 0) from supplier_hours
      where hour = ${hour} and outcome in ('', 'accepted', 'unknown')))
    on conflict (hour) do update set counted_at = excluded.counted_at, open = excluded.open`.execute(tx)
}

async function forgetOldHours(db: Db): Promise<void> {
  for (const table of ['supplier_hours', 'supplier_hours_counted'] as const) {
    await sql`delete from ${sql.table(table)} where hour < clock_timestamp() - make_interval(days => ${keptDays})`.execute(db)
  }
}

/**
 * Updates the sums of suppliers’ hours, newest first. Each hour has its own transaction, so the work may stop at any point.
 * A database that was never counted takes several rounds.
 * @returns how many hours are left
 */
export async function countSupplierHours(db: Db, share: BackgroundShare = wholeShare): Promise<number> {
  const due = await listDueHours(db)
  const end = performance.now() + olderHoursMilliseconds
  let counted = 0
  for (const hour of due) {
    if (counted > 0 && performance.now() >= end) break
    await share.piece(() => inTransaction(db, (tx) => countHour(tx, hour)))
    counted += 1
  }
  await forgetOldHours(db)
  return due.length - counted
}
