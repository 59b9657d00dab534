import { expect, it } from 'vitest'
import { checkSettingValue } from '../settings/settings.ts'
import { defineRateLimits, securityContactSetting } from './http.settings.ts'

const rateLimitsSetting = defineRateLimits([
  { name: 'POST /data/purchase' },
  { name: 'GET /packages' },
  { name: 'POST /data/verify-number', perMinute: 20 },
])

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

it.each(['', 'mailto:security@example.com', 'https://example.com/report', 'tel:+233-20-123-4567'])(
  'takes %j as the contact for weaknesses',
  (value) => {
    expect(() => checkSettingValue(securityContactSetting, value)).not.toThrow()
  },
)

it.each(['security@example.com', 'http://example.com', 'mailto:a@b\nContact: mailto:c@d', 5])(
  'refuses %j as the contact for weaknesses',
  (value) => {
    expect(() => checkSettingValue(securityContactSetting, value)).toThrow('mailto:')
  },
)
