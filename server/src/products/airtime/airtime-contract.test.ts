import { describe, expect, it } from 'vitest'
import { describeKeyRules } from '../../../test/reading/describe-key-rules.ts'
import type { Answer } from '../../../test/start-test-app.ts'
import { writeSetting } from '../../platform/settings/settings.ts'
import { airtimeEnabled } from './airtime.settings.ts'
import { setUpAirtime } from './set-up-airtime.fixture.ts'

const { shop, topUp, buy, list, lookUp } = setUpAirtime([])
const { makeCommissionReseller: makeReseller } = shop

const endpoints = [
  ['POST', '/airtime/purchase', '"POST /airtime/purchase";q=10;w=60'],
  ['GET', '/airtime/orders', '"GET /airtime/orders";q=30;w=60'],
  ['GET', '/airtime/orders/nobody', '"GET /airtime/orders/{reference}";q=30;w=60'],
] as const

describeKeyRules(shop, 'commission', endpoints)

describe('all endpoints of airtime', () => {
  it('leave the lists and look-ups of a key alone whose ten purchases of a minute are used up', async () => {
    const { key } = await makeReseller()
    for (let index = 0; index < 10; index += 1) await buy(key, {})
    expect((await buy(key, topUp())).status).toBe(429)
    expect((await list(key)).length).toBe(0)
    expect((await lookUp(key, 'nobody')).status).toBe(404)
  })

  it('allow 10 purchases a minute and key when the operator sets nothing else', async () => {
    const { key } = await makeReseller()
    const answers: Answer[] = []
    for (let index = 0; index < 11; index += 1) answers.push(await buy(key, topUp()))
    expect(answers.map((answer) => answer.status)).toEqual([...Array.from({ length: 10 }, () => 200), 429])
  })

  it('answer 403 to keys of other types, naming the one that is needed', async () => {
    const { standardKey } = await makeReseller()
    for (const [method, path] of [
      ['POST', '/airtime/purchase'],
      ['GET', '/airtime/orders'],
      ['GET', '/airtime/orders/abc'],
    ] as const) {
      const answer = await shop.app.call(method, path, { key: standardKey, ...(method === 'POST' ? { body: topUp() } : {}) })
      expect(answer).toMatchObject({ status: 403, headers: { 'x-error-reason': 'wrong_key_type' } })
      expect(answer.body.error.message).toContain('commission')
    }
  })

  it('answer repeats, lists and look-ups while the sale is switched off', async () => {
    const { key } = await makeReseller()
    const body = topUp()
    await buy(key, body)
    await writeSetting(shop.db, airtimeEnabled, false, 'test')
    await shop.app.untilSeen()
    const answers = [
      await buy(key, body),
      await shop.app.call('GET', '/airtime/orders', { key }),
      await lookUp(key, body.reference),
      await buy(key, topUp({ beneficiary_phone: '0201234567' })),
      await buy(key, topUp({ amount: 0 })),
    ]
    await writeSetting(shop.db, airtimeEnabled, true, 'test')
    await shop.app.untilSeen()
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 503, 400])
  })
})
