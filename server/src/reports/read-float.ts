import { type RawBuilder, sql } from 'kysely'
import { type Pesewas, pesewas } from '../money/pesewas.ts'
import type { Db } from '../platform/database/database.ts'
import { type CountedDays, type Coverage, coverageOf, readCountedDays } from './counted-days.ts'
import { addDays, dayInAccra } from './period.ts'

export type SupplierFloat = {
  readonly supplier: string
  readonly isEnabled: boolean
  /** The float at its last read. Null when it was never read, or when the supplier does not report it. */
  readonly floatPesewas: Pesewas | null
  readonly readAt: Date | null
  /** The average cost of the supplier's orders per day in the last 7 days. Null when none of them is counted yet. */
  readonly perDayPesewas: Pesewas | null
  /** How many days the float lasts at that pace. Null when nothing was bought there, or the float or the pace is not known. */
  readonly daysLeft: number | null
}

export type FloatReport = {
  readonly floats: readonly SupplierFloat[]
  /** Whether the pace covers all of the last 7 days, a part of them, or none. */
  readonly coverage: Coverage
} & Pick<CountedDays, 'asOf' | 'countedFrom'>

type FloatRow = {
  name: string
  is_enabled: boolean
  float_pesewas: number | null
  float_read_at: Date | null
  spent: number
  days: number
}

/**
 * Floats with the spending of the last seven days, or since the first day with figures. A supplier's commission is not paid
 * into the float, so it does not reduce the spending.
 */
const floatsWithPace: RawBuilder<FloatRow> = sql`
  with week as (
    select greatest((now() at time zone 'Africa/Accra')::date - 6, min(day)) as first_day
    from daily_figures where slice = 'supplier' and day >= (now() at time zone 'Africa/Accra')::date - 6
  ), spent as (
    select supplier, sum(cost + case when cost <> 0 then commission_earned else 0 end)::bigint as amount
    from daily_figures cross join week where slice = 'supplier' and day >= first_day group by supplier
  )
  select suppliers.name, is_enabled, float_pesewas, float_read_at, coalesce(spent.amount, 0) as spent,
    coalesce(extract(epoch from now() - first_day::timestamp at time zone 'Africa/Accra') / 86400, 7)::float8 as days
  from suppliers cross join week left join spent on spent.supplier = suppliers.name
  order by suppliers.name`

const paceDays = 7

/** Reads our floats at suppliers, with the pace of the last 7 days. */
export async function readFloat(db: Db): Promise<FloatReport> {
  const counted = await readCountedDays(db)
  const { rows } = await floatsWithPace.execute(db)
  const today = dayInAccra(new Date())
  const coverage = coverageOf({ from: addDays(today, 1 - paceDays), to: today }, counted)
  const floats = rows.map((row) => {
    const perDay = row.days > 0 && coverage !== 'none' ? row.spent / row.days : 0
    return {
      supplier: row.name,
      isEnabled: row.is_enabled,
      floatPesewas: row.float_pesewas === null ? null : pesewas(row.float_pesewas),
      readAt: row.float_read_at,
      perDayPesewas: coverage === 'none' ? null : pesewas(Math.round(perDay)),
      daysLeft: row.float_pesewas === null || perDay <= 0 ? null : Math.max(0, row.float_pesewas) / perDay,
    }
  })
  return { floats, coverage, asOf: counted.asOf, countedFrom: counted.countedFrom }
}
