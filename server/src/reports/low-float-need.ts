import { sql } from 'kysely'
import { formatGhs, pesewas } from '../money/pesewas.ts'
import { defineNeed } from '../platform/needs/need.ts'
import { floatWarningHours } from './reports.settings.ts'
import { floatPaces } from './suppliers/read-float-pace.ts'

/** Floats at suppliers that are nearly used up at the present pace. */
export const lowFloatNeed = defineNeed<{ supplier: string; float: number; hours: number }>({
  name: 'float',
  waiting: () => sql`
    select name as id, float_read_at as at, jsonb_build_object('supplier', name, 'float', float_pesewas, 'hours', hours_left) as facts
    from (${floatPaces}) as pace
    where hours_left < coalesce(
      (select (value #>> '{}')::integer from settings where name = ${sql.lit(floatWarningHours.name)}), ${sql.lit(floatWarningHours.defaultValue)})
    order by hours_left`,
  line: ({ facts: { supplier, float, hours } }) => ({
    text:
      hours < 1
        ? `${formatGhs(pesewas(float))} is left at ${supplier}: less than an hour at the present pace.`
        : `${formatGhs(pesewas(float))} is left at ${supplier}: about ${Math.round(hours)} hours at the present pace.`,
    path: `/suppliers/${supplier}`,
  }),
})
