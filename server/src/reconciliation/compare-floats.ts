import { sql } from 'kysely'
import type { Static } from 'typebox'
import { ghs, type Pesewas, pesewas } from '../money/pesewas.ts'
import type { Db, TableRow } from '../platform/database/database.ts'
import type { FloatDays } from './reconciliation.schemas.ts'

export type FloatRead = { readonly at: Date; readonly floatPesewas: Pesewas }

/** Change of a supplier's float between two reads, and the change that our books expect. Amounts in pesewas. */
export type FloatDay = {
  /** `2026-07-31`, in Accra. */
  readonly day: string
  /**
   * The opening read is the last one before the day, or the day's first if there is none before. The closing read is the day's
   * last. Both are null if there are not two such reads.
   */
  readonly opening: FloatRead | null
  readonly closing: FloatRead | null
  /** The cost of the orders that the supplier took between the reads. */
  readonly costs: Pesewas
  /** Refunds by the supplier for orders that it had accepted and that failed. */
  readonly refunds: Pesewas
  /** Deposits into the float less withdrawals, as the operator recorded them. */
  readonly topUps: Pesewas
  /** The cost of orders that the supplier may have accepted. */
  readonly inDoubt: Pesewas
  /** How many accepted orders have no known cost. */
  readonly withoutCost: number
  /** The difference between the read and the expected float that neither orders in doubt nor the moment of a read can explain. */
  readonly drift: Pesewas
}

const dayMilliseconds = 24 * 3_600_000

/**
 * A read of the float may miss an order that was sent less than this time before it, because the call may be in flight.
 */
const edgeMilliseconds = 60_000

/** Assumes that an order fails within this many days after it was sent. The refund of a later failure is not counted. */
const longestDays = 7

async function findReads(db: Db, supplier: string, from: Date): Promise<readonly [FloatRead, FloatRead] | undefined> {
  const to = new Date(from.getTime() + dayMilliseconds)
  const { rows } = await sql<TableRow<'supplier_float_reads', 'read_at' | 'float_pesewas'>>`
    (select read_at, float_pesewas from supplier_float_reads
      where supplier = ${supplier} and read_at <= ${from} order by read_at desc limit 1)
    union all
    (select read_at, float_pesewas from supplier_float_reads
      where supplier = ${supplier} and read_at > ${from} and read_at <= ${to} order by read_at limit 1)
    union all
    (select read_at, float_pesewas from supplier_float_reads
      where supplier = ${supplier} and read_at > ${from} and read_at <= ${to} order by read_at desc limit 1)`.execute(db)
  const reads = rows
    .map((row) => ({ at: row.read_at, floatPesewas: pesewas(row.float_pesewas) }))
    .toSorted((one, other) => one.at.getTime() - other.at.getTime())
  const [opening, closing] = [reads[0], reads.at(-1)]
  return opening && closing && opening.at < closing.at ? [opening, closing] : undefined
}

type Sums = {
  costs: number
  without_cost: number
  in_doubt: number
  edge_before: number
  edge_after: number
  refunds: number
  top_ups: number
}

/** The cost of an attempt: what the supplier reported last, else what was expected. */
const costOfAttempt = sql`coalesce(
  (select reported_cost from attempt_answers where order_id = attempts.order_id and attempt_no = attempts.attempt_no
    and reported_cost is not null order by answer_no desc limit 1), expected_cost)`

/** Whether the supplier accepted the attempt, whatever its outcome. */
const wasAccepted = sql`exists (select from attempt_answers
  where order_id = attempts.order_id and attempt_no = attempts.attempt_no and answer in ('accepted', 'duplicate_exists', 'delivered'))`

async function readSums(db: Db, supplier: string, opened: Date, closed: Date): Promise<Sums> {
  const edge = sql`make_interval(secs => ${edgeMilliseconds / 1_000})`
  const { rows } = await sql<Sums>`
    with sent as materialized (
      select created_at, ${costOfAttempt} as cost,
        case when outcome in ('delivered', 'accepted') then 'taken'
          when outcome is null or outcome = 'unknown' then 'doubt'
          when ${wasAccepted} then 'taken' end as state
      from attempts
      where supplier = ${supplier} and created_at > ${opened}::timestamptz - ${edge} and created_at <= ${closed}
    ), returned as (
      select ${costOfAttempt} as cost from attempts
      where supplier = ${supplier} and created_at >= ${opened}::timestamptz - make_interval(days => ${longestDays})
        and created_at <= ${closed} and outcome not in ('delivered', 'accepted', 'unknown')
        and answered_at > ${opened} and answered_at <= ${closed} and ${wasAccepted}
    )
    select
      coalesce(sum(cost) filter (where state = 'taken' and created_at > ${opened}), 0)::bigint as costs,
      count(*) filter (where state = 'taken' and created_at > ${opened} and cost is null) as without_cost,
      coalesce(sum(cost) filter (where state = 'doubt' and created_at > ${opened}), 0)::bigint as in_doubt,
      coalesce(sum(cost) filter (where state is not null and created_at <= ${opened}), 0)::bigint as edge_before,
      coalesce(sum(cost) filter (where state = 'taken' and created_at > ${closed}::timestamptz - ${edge}), 0)::bigint as edge_after,
      (select coalesce(sum(cost), 0)::bigint from returned) as refunds,
      (select coalesce(sum(amount), 0)::bigint from supplier_float_movements
        where supplier = ${supplier} and moved_at > ${opened} and moved_at <= ${closed}) as top_ups
    from sent`.execute(db)
  return rows[0] ?? { costs: 0, without_cost: 0, in_doubt: 0, edge_before: 0, edge_after: 0, refunds: 0, top_ups: 0 }
}

/** The part of a difference that is outside the explained range. */
function beyond(difference: number, least: number, most: number): number {
  return difference - Math.min(Math.max(difference, least), most)
}

async function compareDay(db: Db, supplier: string, from: Date): Promise<FloatDay> {
  const day = from.toISOString().slice(0, 10)
  const reads = await findReads(db, supplier, from)
  const none = { costs: pesewas(0), refunds: pesewas(0), topUps: pesewas(0), inDoubt: pesewas(0), withoutCost: 0 }
  if (!reads) return { day, opening: null, closing: null, ...none, drift: pesewas(0) }
  const [opening, closing] = reads
  const sums = await readSums(db, supplier, opening.at, closing.at)
  const moved = closing.floatPesewas - opening.floatPesewas
  const difference = moved - (sums.top_ups + sums.refunds - sums.costs)
  return {
    day,
    opening,
    closing,
    costs: pesewas(sums.costs),
    refunds: pesewas(sums.refunds),
    topUps: pesewas(sums.top_ups),
    inDoubt: pesewas(sums.in_doubt),
    withoutCost: sums.without_cost,
    drift: pesewas(beyond(difference, -(sums.in_doubt + sums.edge_before), sums.edge_after)),
  }
}

/** The days in Accra (UTC) from the first moment to the last. */
export function daysBetween(from: Date, to: Date): Date[] {
  const first = Math.floor(from.getTime() / dayMilliseconds)
  const last = Math.floor(to.getTime() / dayMilliseconds)
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => new Date((first + index) * dayMilliseconds))
}

/**
 * Compares, day by day, the change of a supplier's float with what our books expect: deposits and refunds, less the cost of
 * its orders. A day runs from the last read before it to its own last read, so that nothing falls between two days; without
 * a read before it, from its own first read.
 */
export async function compareFloats(db: Db, supplier: string, days: readonly Date[]): Promise<FloatDay[]> {
  const compared: FloatDay[] = []
  for (const day of days) compared.push(await compareDay(db, supplier, day))
  return compared
}

const viewRead = (read: FloatRead | null) => read && { float: ghs(read.floatPesewas), at: read.at.toISOString() }

/** A day as people and scripts read it, in GHS. */
export function viewDayOfFloat(day: FloatDay): Static<typeof FloatDays>['days'][number] {
  const { opening, closing, costs, refunds, topUps } = day
  const isRead = opening !== null && closing !== null
  return {
    day: day.day,
    opening: viewRead(opening),
    closing: viewRead(closing),
    moved: isRead ? ghs(pesewas(closing.floatPesewas - opening.floatPesewas)) : null,
    expected: isRead ? ghs(pesewas(topUps + refunds - costs)) : null,
    costs: ghs(costs),
    refunds: ghs(refunds),
    top_ups: ghs(topUps),
    in_doubt: ghs(day.inDoubt),
    orders_without_cost: day.withoutCost,
    drift: isRead ? ghs(day.drift) : null,
  }
}
