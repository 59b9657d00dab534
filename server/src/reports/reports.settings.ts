import Type from 'typebox'
import { defineCount } from '../platform/settings/setting-schemas.ts'
import { defineSetting } from '../platform/settings/settings.ts'

/** Figures that a rate can be applied to. */
export const taxBases = ['net_sales', 'margin', 'commission_paid', 'commission_earned'] as const
export type TaxBase = (typeof taxBases)[number]

export type TaxRate = {
  readonly name: string
  readonly percent: number
  readonly on: TaxBase
  /** True when the amount already contains the tax, as a public price may. False: the tax is added. */
  readonly is_included?: boolean
}

/** At most 4 decimals: the nearest ten-thousandth must be the number itself. */
const percent = Type.Refine(Type.Number({ minimum: 0, maximum: 100 }), (value) => Math.round(value * 10_000) / 10_000 === value)

const schema = Type.Unsafe<readonly TaxRate[]>(
  Type.Array(
    Type.Object(
      {
        name: Type.String({ minLength: 1, maxLength: 60 }),
        percent,
        on: Type.Union(taxBases.map((base) => Type.Literal(base))),
        is_included: Type.Optional(Type.Boolean()),
      },
      { additionalProperties: false },
    ),
    { maxItems: 20 },
  ),
)

/** Rates of `makola report tax`. There is no default: the operator must find out which taxes apply. */
export const taxRates = defineSetting({
  name: 'report_tax_rates',
  schema,
  defaultValue: [],
  allowed: `a JSON list of rates such as [{"name":"Levy","percent":2.5,"on":"net_sales","is_included":true}]; "on" is one of ${taxBases.join(', ')}, "percent" has at most 4 decimals`,
  help: 'Named rates that makola report tax works out on the figures of a period.',
})

export const floatWarningHours = defineCount(
  'float_warning_hours',
  { least: 1, most: 720, unit: 'hours' },
  24,
  'A float that lasts for fewer hours at the pace of the last day is shown as low.',
)

export const floatWarningGhs = defineCount(
  'float_warning_ghs',
  { least: 0, most: 1_000_000_000, unit: 'GHS' },
  0,
  'A float below this amount is shown as low, whatever its pace; with 0 only the pace counts.',
)

export const reportsSettings = [taxRates, floatWarningHours, floatWarningGhs]
