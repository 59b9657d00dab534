import { expect, it } from 'vitest'
import { checkSettingValue } from '../settings/settings.ts'
import { rateLimitsSetting } from './http.settings.ts'

it('takes a number of requests per minute for any endpoint', () => {
  expect(() => checkSettingValue(rateLimitsSetting, {})).not.toThrow()
  expect(() => checkSettingValue(rateLimitsSetting, { 'POST /data/purchase': 600, 'GET /packages': 1 })).not.toThrow()
})

it.each([
  [{ 'POST /data/purchase': 0 }],
  [{ 'POST /data/purchase': 1.5 }],
  [{ 'POST /data/purchase': '5' }],
  [{ 'GET /nowhere': 5 }],
  [[]],
  [5],
])('refuses %j and names the endpoints', (value) => {
  expect(() => checkSettingValue(rateLimitsSetting, value)).toThrow('POST /data/verify-number')
})
