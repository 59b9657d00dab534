import { describe, expect, it } from 'vitest'
import { writeSetting } from '../../platform/settings/settings.ts'
import { setUpUtilities } from './set-up-utilities.fixture.ts'
import { billerKeys } from './utilities.schemas.ts'
import { billerEnabled, utilitiesMaxAmount, utilitiesMinAmount } from './utilities.settings.ts'

const { shop, bill, pay } = setUpUtilities()
const { makeCommissionReseller: makeReseller } = shop
const billers = async (key: string) => (await shop.app.call('GET', '/utilities/billers', { key })).body.data

describe('GET /utilities/billers', () => {
  it('200: lists the five billers with the contract’s fields, and the live bounds', async () => {
    const { key } = await makeReseller()
    const { data } = (await shop.app.call('GET', '/utilities/billers', { key })).body
    expect(data).toMatchObject({ min_amount: 1, max_amount: 1000, currency: 'GHS' })
    const rule = (biller: Record<string, unknown>) => [
      biller['key'],
      biller['enabled'],
      biller['requires_phone'],
      biller['lookup_by'],
      biller['links_phone_to_account'],
      biller['has_amount_due'],
    ]
    expect(data.billers.map(rule)).toEqual([
      ['ecg', true, true, 'phone', true, false],
      ['ghana_water', true, true, 'account', false, true],
      ['dstv', true, false, 'account', false, true],
      ['gotv', true, false, 'account', false, true],
      ['startimes', true, false, 'account', false, true],
    ])
    for (const biller of data.billers) {
      expect(biller.label).toMatch(/\w/)
      expect(biller.account_label).toMatch(/\w/)
    }
  })

  it('200: still lists a biller that is switched off, whose payments and look-ups then answer 503, and shows new bounds', async () => {
    const { key } = await makeReseller()
    const { db } = shop
    await writeSetting(db, billerEnabled.gotv, false, 'test')
    await writeSetting(db, utilitiesMaxAmount, 500.5, 'test')
    await shop.app.untilSeen()
    const { data } = (await shop.app.call('GET', '/utilities/billers', { key })).body
    const refused = await pay(key, bill({ biller: 'gotv' }))
    const unasked = await shop.app.call('GET', '/utilities/lookup?biller=gotv&account=123', { key })
    const other = await pay(key, bill())
    await writeSetting(db, billerEnabled.gotv, true, 'test')
    await writeSetting(db, utilitiesMaxAmount, 1_000, 'test')
    await shop.app.untilSeen()
    expect(data.max_amount).toBe(500.5)
    expect(data.billers.filter((biller: { enabled: boolean }) => !biller.enabled)).toEqual([
      expect.objectContaining({ key: 'gotv' }),
    ])
    for (const answer of [refused, unasked])
      expect(answer).toMatchObject({ status: 503, headers: { 'x-error-reason': 'feature_disabled' } })
    expect(other.status).toBe(200)
  })

  it('200: lists every biller that is switched off, which stops its payments and look-ups and no others', async () => {
    const { key: caller } = await makeReseller()
    const phone = '0241234567'
    for (const [index, key] of billerKeys.entries()) {
      const next = billerKeys[(index + 1) % billerKeys.length]
      const payer = (await makeReseller()).key
      await writeSetting(shop.db, billerEnabled[key], false, 'test')
      await shop.app.untilSeen()
      const listed = (await billers(caller)).billers as { key: string; enabled: boolean }[]
      const looked = `/utilities/lookup?biller=${key}&account=${phone}&phone=${phone}`
      const answers = [
        await pay(payer, bill({ biller: key, phone })),
        await shop.app.call('GET', looked, { key: payer }),
        await pay(payer, bill({ biller: next, phone })),
      ]
      await writeSetting(shop.db, billerEnabled[key], true, 'test')
      expect(listed.map((biller) => [biller.key, biller.enabled])).toEqual(billerKeys.map((each) => [each, each !== key]))
      expect(answers.map(({ status }) => status)).toEqual([503, 503, 200])
    }
    await shop.app.untilSeen()
  })

  it('200: shows bounds that POST /utilities/pay then holds to, at both ends', async () => {
    const { key } = await makeReseller()
    await writeSetting(shop.db, utilitiesMinAmount, 10.5, 'test')
    await writeSetting(shop.db, utilitiesMaxAmount, 50.25, 'test')
    await shop.app.untilSeen()
    const { min_amount: least, max_amount: most } = await billers(key)
    const answers = [10.49, 10.5, 50.25, 50.26].map((amount) => pay(key, bill({ amount })))
    const statuses = (await Promise.all(answers)).map(({ status }) => status)
    await writeSetting(shop.db, utilitiesMinAmount, 1, 'test')
    await writeSetting(shop.db, utilitiesMaxAmount, 1_000, 'test')
    await shop.app.untilSeen()
    expect([least, most]).toEqual([10.5, 50.25])
    expect(statuses).toEqual([400, 200, 200, 400])
  })
})
