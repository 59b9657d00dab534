import type { components } from '../../both/api/dashboard-api.d.ts'
import { fieldWords } from '../../both/field-words.ts'
import { formatCount, formatGhs } from '../../both/money/format-ghs.ts'
import type { AmountKind } from '../../both/money/read-amount.ts'
import { switchWords } from '../words/switches.ts'

export type Setting = components['schemas']['Setting']
export type Field = components['schemas']['SettingField']

function showNumber(value: number, unit: string | null): string {
  if (unit === 'GHS') return formatGhs(value)
  return unit === null ? formatCount(value) : `${formatCount(value)} ${unit}`
}

/** The kind of number that a field of a setting takes. The server checks the field's bounds, and its refusal describes them. */
export function kindOfNumber({ is_whole: isWhole }: Partial<Field>, unit: string | null): AmountKind {
  const decimals = unit === 'GHS' ? 2 : 4
  return {
    decimals: isWhole === true ? 0 : decimals,
    least: 0,
    most: 1_000_000_000,
    show: (value) => showNumber(value, unit),
  }
}

/** The column of a list that holds prices is in GHS; other columns have no unit. */
export const unitOfColumn = (name: string): string | null => (name === 'price' ? 'GHS' : null)

export function showValue({ field, unit }: Pick<Setting, 'field' | 'unit'>, value: unknown): string {
  if (typeof value === 'boolean') return value ? fieldWords.on : fieldWords.off
  if (typeof value === 'number') return showNumber(value, unit)
  if (value === null || value === undefined) return switchWords.nothing
  if (typeof value === 'string') return value === '' ? switchWords.empty : value
  if (field.kind === 'rows') return switchWords.rows((value as unknown[]).length)
  if (field.kind === 'numbers') return switchWords.limits(Object.keys(value).length)
  if (field.kind === 'json') return Array.isArray(value) ? switchWords.rules(value.length) : JSON.stringify(value)
  return (value as unknown[]).join(', ')
}
