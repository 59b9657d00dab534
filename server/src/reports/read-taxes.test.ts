import { describe, expect, it } from 'vitest'
import { checkSettingValue } from '../platform/settings/settings.ts'
import { taxOn } from './read-taxes.ts'
import { type TaxRate, taxRates } from './reports.settings.ts'

const rate = (percent: number, isIncluded = false): TaxRate => ({
  name: 'Levy',
  percent,
  on: 'net_sales',
  is_included: isIncluded,
})

describe('a rate', () => {
  it.each([
    [10_000, rate(15), 1_500],
    [10_000, rate(2.5), 250],
    // 15 % of a price that contains it: 115 parts of which 15 are tax.
    [11_500, rate(15, true), 1_500],
    [10_000, rate(15, true), 1_304],
    // Halves are rounded away from zero.
    [10, rate(5), 1],
    [30, rate(5), 2],
    [-10, rate(5), -1],
    [-9, rate(5), 0],
    [0, rate(15), 0],
    [9_007_199_254_740_991, rate(0.0001), 9_007_199_255],
  ])('of a base of %i pesewas is rounded once to the pesewa: %j', (base, of, tax) => {
    expect(taxOn(base, of) + 0).toBe(tax)
  })
})

describe('the setting of rates', () => {
  it('has none by default', () => {
    expect(taxRates.defaultValue).toEqual([])
  })

  it.each([
    [[{ name: 'Levy', percent: 2.5, on: 'sales' }]],
    [[{ name: 'Levy', percent: 101, on: 'margin' }]],
    [[{ name: 'Levy', percent: -1, on: 'margin' }]],
    [[{ name: 'Levy', percent: 1.23456, on: 'margin' }]],
    [[{ name: '', percent: 1, on: 'margin' }]],
    [[{ name: 'Levy', percent: 1, on: 'margin', of: 'x' }]],
    [{ Levy: 1 }],
  ])('refuses %j', (value) => {
    expect(() => checkSettingValue(taxRates, value)).toThrow(/report_tax_rates must be a JSON list of rates/)
  })

  it('takes named rates on each of the bases', () => {
    const all = (['net_sales', 'margin', 'commission_paid', 'commission_earned'] as const).map((on) => ({
      name: on,
      percent: 0.5,
      on,
    }))
    expect(() => checkSettingValue(taxRates, all)).not.toThrow()
  })
})
