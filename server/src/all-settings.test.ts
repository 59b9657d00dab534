import { expect, it } from 'vitest'
import { allSettings, findSetting } from './all-settings.ts'
import { limits, type RateLimit } from './platform/http/limits/endpoint-limits.ts'
import { describeField } from './platform/settings/describe-field.ts'
import { checkSettingValue } from './platform/settings/settings.ts'
import { products } from './products/products.ts'

const defaults: Record<string, unknown> = {
  data_enabled: true,
  airtime_enabled: true,
  results_checker_enabled: true,
  afa_enabled: true,
  sms_enabled: true,
  utilities_enabled: true,
  'biller_enabled.ecg': true,
  'biller_enabled.ghana_water': true,
  'biller_enabled.dstv': true,
  'biller_enabled.gotv': true,
  'biller_enabled.startimes': true,
  utilities_min_amount: 1,
  utilities_max_amount: 1000,
  'airtime_min.MTN': 1,
  'airtime_min.Telecel': 1,
  'airtime_min.AT': 1,
  'airtime_max.MTN': 100,
  'airtime_max.Telecel': 100,
  'airtime_max.AT': 100,
  whitelist_gate: false,
  registration_servers: [1, 2],
  prefix_check: 'enforce',
  data_auto_refund: true,
  afa_refund_on_cancel: true,
  queued_deadline_days: 7,
  results_checker_max_quantity: null,
  sms_segment_rule: 'standard',
  rate_limits: {},
  api_roles: ['customer', 'agent', 'dealer'],
}

it.each(Object.entries(defaults))('the setting %s has the default that is documented', (name, value) => {
  expect(findSetting(name)?.defaultValue).toEqual(value)
})

it('every setting has a name of its own and a sentence of help', () => {
  expect(new Set(allSettings.map((setting) => setting.name)).size).toBe(allSettings.length)
  for (const setting of allSettings) expect(setting.help).toMatch(/^[A-Z].*\.$/)
})

it.each([
  ['registration_servers', [1], true],
  ['registration_servers', [], false],
  ['registration_servers', [1, 1], false],
  ['registration_servers', [3], false],
  ['rate_limits', { 'POST /data/purchase': 600 }, true],
  ['rate_limits', { 'POST /data/purchase': 0 }, false],
  ['rate_limits', { 'POST /no/such/endpoint': 5 }, false],
  ['api_roles', ['dealer'], true],
  ['api_roles', ['king'], false],
  ['api_roles', [], false],
])('%s takes %j: %s', (name, value, isAllowed) => {
  const setting = allSettings.find((known) => known.name === name)
  const check = () => setting && checkSettingValue(setting, value)
  expect(setting).toBeDefined()
  expect(messageOf(check)).toMatch(isAllowed ? /^$/ : new RegExp(`^${name} must be`))
})

it.each([
  ['airtime_min.MTN', 'airtime_max.MTN'],
  ['airtime_min.Telecel', 'airtime_max.Telecel'],
  ['airtime_min.AT', 'airtime_max.AT'],
  ['utilities_min_amount', 'utilities_max_amount'],
])('%s and %s bound each other', (least, most) => {
  expect(findSetting(least)?.notAbove?.name).toBe(most)
  expect(findSetting(most)?.notBelow?.name).toBe(least)
})

function messageOf(check: () => unknown): string {
  try {
    check()
    return ''
  } catch (error) {
    return error instanceof Error ? error.message : 'no error'
  }
}

/** Endpoints beside the contract. */
const additions = ['GET /orders 60', 'GET /wallet/transactions 60', 'GET /requests/{request_id} 60']

it('limits requests as the whole table of the contract says, and what stands beside it', () => {
  const table = [limits, ...products.map((product) => product.limits)]
    .flatMap((each) => Object.values<RateLimit>(each))
    .flatMap(({ name, perMinute }) => (perMinute === undefined ? [] : `${name} ${perMinute}`))
  expect(table.filter((each) => additions.includes(each)).toSorted()).toEqual(additions.toSorted())
  expect(table.filter((each) => !additions.includes(each))).toEqual([
    'GET /account/role 30',
    'POST /data/verify-number 20',
    'POST /airtime/purchase 10',
    'GET /airtime/orders 30',
    'GET /airtime/orders/{reference} 30',
    'GET /resultschecker/types 30',
    'POST /resultschecker/purchase 10',
    'GET /resultschecker/orders 30',
    'GET /resultschecker/orders/{reference} 30',
    'POST /afa/register 10',
    'GET /afa/orders 30',
    'GET /afa/orders/{reference} 30',
    'GET /utilities/billers 30',
    'GET /utilities/lookup 10',
    'POST /utilities/pay 6',
    'GET /utilities/orders/{reference} 30',
  ])
})

it('gives every setting a field of its own on the screen, and JSON only where nothing simpler fits', () => {
  const kinds = Object.groupBy(allSettings, ({ schema }) => describeField(schema).kind)
  expect(kinds.json?.map(({ name }) => name)).toEqual(['sms_content_rules'])
  const fieldOf = (name: string) => describeField(findSetting(name)?.schema ?? {})
  expect(fieldOf('whitelist_gate')).toEqual({ kind: 'switch' })
  expect(fieldOf('request_log')).toEqual({ kind: 'choice', choices: ['all', 'refused', 'off'] })
  expect(fieldOf('registration_servers')).toEqual({ kind: 'choices', choices: [1, 2], least: 1, most: 2 })
  expect(fieldOf('results_checker_max_quantity')).toMatchObject({ kind: 'number', is_whole: true, least: 1, may_be_empty: true })
  expect(fieldOf('airtime_max.MTN')).toEqual({ kind: 'number', is_whole: false, least: 0.01, most: 1_000_000 })
  expect(fieldOf('registration_suppliers')).toEqual({ kind: 'texts', least: 2, most: 2 })
  expect(fieldOf('rate_limits')).toMatchObject({ kind: 'numbers', names: expect.arrayContaining(['POST /data/purchase']) })
  expect(fieldOf('report_tax_rates').columns?.map(({ name, kind }) => [name, kind])).toEqual([
    ['name', 'text'],
    ['percent', 'number'],
    ['on', 'choice'],
    ['is_included', 'switch'],
  ])
})
