import { type RawBuilder, sql } from 'kysely'
import { type Pesewas, pesewas } from '../../money/pesewas.ts'
import type { Db } from '../../platform/database/database.ts'
import { minimumFloatGhsDefault } from '../../suppliers/adapter.ts'

export type FloatPace = {
  readonly supplier: string
  readonly floatPesewas: Pesewas | null
  readonly readAt: Date | null
  /** The average cost per hour of the supplier's orders over the last day. Null when no hour of it is counted yet. */
  readonly perHourPesewas: Pesewas | null
  /**
   * How many hours the float lasts at that pace. Null when nothing was bought there in the last day, or the float is not
   * known.
   */
  readonly hoursLeft: number | null
  /** The supplier's minimum: the float counts as empty below this. */
  readonly leastPesewas: Pesewas
}

const paceHours = 24

type PaceRow = {
  name: string
  float_pesewas: number | null
  float_read_at: Date | null
  per_hour: number | null
  hours_left: number | null
  least: number
}

/**
 * Floats of enabled suppliers with a route, in pesewas, with the pace of the last 24 hours. For a float that was never read
 * `hours_left` is null; `greatest` alone would ignore the null and give 0.
 */
export const floatPaces: RawBuilder<PaceRow> = sql`
  with spent as (
    select supplier, sum(cost)::float8 / greatest(1, extract(epoch from clock_timestamp() - min(hour)) / 3600)::float8 as per_hour
    from supplier_hours where hour > clock_timestamp() - make_interval(hours => ${sql.lit(paceHours)}) group by supplier
  )
  select name, float_pesewas, float_read_at, coalesce(per_hour, (
      select 0 from supplier_hours_counted where hour > clock_timestamp() - make_interval(hours => ${sql.lit(paceHours)}) limit 1
    )) as per_hour,
    round(coalesce((settings ->> 'minimumFloatGhs')::numeric, ${sql.lit(minimumFloatGhsDefault)}) * 100)::bigint as least,
    case when per_hour > 0 and float_pesewas is not null then greatest(0, float_pesewas) / per_hour end as hours_left
  from suppliers left join spent on spent.supplier = suppliers.name
  where is_enabled and exists (select from routes where routes.supplier = suppliers.name)
  order by name`

export async function readFloatPace(db: Db): Promise<FloatPace[]> {
  const { rows } = await floatPaces.execute(db)
  return rows.map((row) => ({
    supplier: row.name,
    floatPesewas: row.float_pesewas === null ? null : pesewas(row.float_pesewas),
    readAt: row.float_read_at,
    perHourPesewas: row.per_hour === null ? null : pesewas(Math.round(row.per_hour)),
    hoursLeft: row.hours_left,
    leastPesewas: pesewas(row.least),
  }))
}

/** Sorting key: an unused float lasts longer than all others. */
const lasts = ({ hoursLeft }: FloatPace) => hoursLeft ?? Number.MAX_VALUE

/**
 * Floats that are below their supplier's minimum or the operator's, or that last for fewer hours than the operator's warning.
 * The float that is used up first comes first; unused floats come last.
 */
export async function listLowFloats(
  db: Db,
  { warningHours, warningGhs }: { readonly warningHours: number; readonly warningGhs: number },
): Promise<FloatPace[]> {
  const paces = await readFloatPace(db)
  return paces
    .filter(({ floatPesewas, hoursLeft, leastPesewas }) => {
      if (floatPesewas === null) return false
      const least = Math.max(leastPesewas, warningGhs * 100)
      return floatPesewas < least || (hoursLeft !== null && hoursLeft < warningHours)
    })
    .toSorted((one, other) => lasts(one) - lasts(other))
}
