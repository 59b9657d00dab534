import { sql } from 'kysely'
import { meaningOf } from '../../orders/outcomes.ts'
import type { Db } from '../../platform/database/database.ts'
import { addSteps, millisecondsWithin, type StepCounts } from './time-steps.ts'

export type HealthFigures = {
  readonly attempts: number
  readonly delivered: number
  /** Attempts that ended without a delivery, and not because of the number, our account or our request. */
  readonly failed: number
  /** Share of the decided attempts that was delivered, 0 to 1. Null: no attempt was decided. */
  readonly success: number | null
  /** Milliseconds from our decision to send until the answer, and until the delivery: the median, and the 95th percentile. */
  readonly answerP50: number | null
  readonly answerP95: number | null
  readonly deliveryP50: number | null
  readonly deliveryP95: number | null
}

export type SupplierHealth = HealthFigures & {
  readonly supplier: string
  /** Outcomes of the attempts, in the words of `SupplierAnswer`; empty: no answer yet. */
  readonly outcomes: readonly { readonly outcome: string; readonly attempts: number }[]
  readonly byHour: readonly (HealthFigures & { readonly hour: Date })[]
}

type Row = {
  hour: Date
  supplier: string
  outcome: string
  attempts: number
  answer_steps: StepCounts
  delivery_steps: StepCounts
}

function figuresOf(rows: readonly Row[]): HealthFigures {
  const sum = (wanted: (row: Row) => boolean) => rows.filter(wanted).reduce((total, { attempts }) => total + attempts, 0)
  const delivered = sum(({ outcome }) => outcome === 'delivered')
  const failed = sum(({ outcome }) => outcome !== 'delivered' && meaningOf(outcome)?.measuresSupplier === true)
  const answers = addSteps(rows.map((row) => row.answer_steps))
  const deliveries = addSteps(rows.map((row) => row.delivery_steps))
  return {
    attempts: sum(() => true),
    delivered,
    failed,
    success: delivered + failed === 0 ? null : delivered / (delivered + failed),
    answerP50: millisecondsWithin(answers, 0.5),
    answerP95: millisecondsWithin(answers, 0.95),
    deliveryP50: millisecondsWithin(deliveries, 0.5),
    deliveryP95: millisecondsWithin(deliveries, 0.95),
  }
}

function healthOf(supplier: string, rows: readonly Row[]): SupplierHealth {
  const byOutcome = Map.groupBy(rows, (row) => row.outcome)
  const hours = Map.groupBy(rows, (row) => row.hour.getTime())
  return {
    supplier,
    ...figuresOf(rows),
    outcomes: [...byOutcome]
      .map(([outcome, all]) => ({ outcome, attempts: all.reduce((total, { attempts }) => total + attempts, 0) }))
      .toSorted((one, other) => other.attempts - one.attempts),
    byHour: [...hours]
      .toSorted(([one], [other]) => one - other)
      .map(([hour, all]) => ({ hour: new Date(hour), ...figuresOf(all) })),
  }
}

/** When the worker counted last, and each supplier's figures of the last hours, the present hour included. */
export type HealthReading = {
  readonly countedAt: Date | null
  readonly from: Date
  readonly suppliers: readonly SupplierHealth[]
}

/**
 * Reads suppliers' performance by hour, from the sums that the worker keeps. Suppliers and hours without an attempt are left
 * out.
 */
export async function readSupplierHealth(
  db: Db,
  { hours, supplier = null }: { readonly hours: number; readonly supplier?: string | null },
): Promise<HealthReading> {
  const { rows } = await sql<Row>`
    select hour, supplier, outcome, attempts, answer_steps, delivery_steps from supplier_hours
    where hour > date_trunc('hour', clock_timestamp()) - make_interval(hours => ${hours})
      and (${supplier}::text is null or supplier = ${supplier})`.execute(db)
  const clock = await sql<{ counted_at: Date | null; from: Date }>`
    select (select max(counted_at) from supplier_hours_counted where hour > clock_timestamp() - interval '2 hours') as counted_at,
      date_trunc('hour', clock_timestamp()) - make_interval(hours => ${hours - 1}) as from`.execute(db)
  const bySupplier = Map.groupBy(rows, (row) => row.supplier)
  return {
    countedAt: clock.rows[0]?.counted_at ?? null,
    from: clock.rows[0]?.from ?? new Date(),
    suppliers: [...bySupplier]
      .map(([name, all]) => healthOf(name, all))
      .toSorted((one, other) => one.supplier.localeCompare(other.supplier)),
  }
}
