import { sql } from 'kysely'
import { formatGhs, pesewas } from '../money/pesewas.ts'
import { defineNeed } from '../platform/needs/need.ts'
import { floatsWithPace } from './read-float.ts'

/** A float that lasts less needs somebody today. */
const lowHours = 24

/** Floats at suppliers that are nearly used up at the present pace. */
export const lowFloatNeed = defineNeed<{ supplier: string; float: number; hours: number }>({
  name: 'float',
  waiting: () => sql`
    select name as id, float_read_at as at, jsonb_build_object('supplier', name, 'float', float_pesewas, 'hours', hours) as facts
    from (
      select name, float_pesewas, float_read_at, greatest(0, float_pesewas) / (spent / days) * 24 as hours
      from (${floatsWithPace}) as floats
      where is_enabled and float_pesewas is not null and spent > 0 and days > 0
    ) as lasting
    where hours < ${sql.lit(lowHours)} order by hours`,
  line: ({ facts: { supplier, float, hours } }) => ({
    text:
      hours < 1
        ? `${formatGhs(pesewas(float))} is left at ${supplier}: less than an hour at the present pace.`
        : `${formatGhs(pesewas(float))} is left at ${supplier}: about ${Math.round(hours)} hours at the present pace.`,
    path: `/suppliers/${supplier}`,
  }),
})
