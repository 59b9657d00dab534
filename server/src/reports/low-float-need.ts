import { sql } from 'kysely'
import { formatGhs, pesewas } from '../money/pesewas.ts'
import { defineNeed } from '../platform/needs/need.ts'
import { floatWarningGhs, floatWarningHours } from './reports.settings.ts'
import { floatPaces } from './suppliers/read-float-pace.ts'

/** SQL that reads the present value of a setting within a statement. */
const setTo = ({ name, defaultValue }: { readonly name: string; readonly defaultValue: number }) =>
  sql`coalesce((select (value #>> '{}')::integer from settings where name = ${sql.lit(name)}), ${sql.lit(defaultValue)})`

const hoursOfMonth = 30 * 24

/** Reason why a float is low: it counts as empty, it lasts only some hours, or it is below the operator's minimum. */
function whyLow({ isEmpty, hours }: { readonly isEmpty: boolean; readonly hours: number | null }): string {
  if (isEmpty) return ', which counts as empty'
  if (hours === null || hours > hoursOfMonth) return ', less than you want to hold'
  return hours < 1 ? ': less than an hour at the present pace' : `: about ${Math.floor(hours)} hours at the present pace`
}

/** Floats that are empty by the supplier's measure, nearly used up at the present pace, or below the operator's minimum. */
export const lowFloatNeed = defineNeed<{ supplier: string; float: number; hours: number | null; isEmpty: boolean }>({
  name: 'float',
  waiting: () => sql`
    select name as id, float_read_at as at, jsonb_build_object('supplier', name, 'float', float_pesewas, 'hours', hours_left,
      'isEmpty', float_pesewas < least) as facts
    from (${floatPaces}) as pace
    where float_pesewas < least or hours_left < ${setTo(floatWarningHours)} or float_pesewas < ${setTo(floatWarningGhs)}::bigint * 100
    order by hours_left nulls last, name`,
  line: ({ facts: { supplier, float, ...facts } }) => ({
    text: `${formatGhs(pesewas(float))} is left at ${supplier}${whyLow(facts)}.`,
    path: `/suppliers/${supplier}`,
  }),
})
