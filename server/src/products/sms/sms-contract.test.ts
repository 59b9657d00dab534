import { describe, expect, it } from 'vitest'
import { makeAccount, makeKeyFor } from '../../../test/make-account.ts'
import { describeKeyRules } from '../../../test/reading/describe-key-rules.ts'
import { rateLimitsSetting } from '../../all-settings.ts'
import { writeSetting } from '../../platform/settings/settings.ts'
import { smsEnabled } from './sms.settings.ts'
import { type SmsReseller, useSmsBench } from './sms-bench.fixture.ts'

const bench = useSmsBench()

const message = 'Your order is ready.'
const blockedMessage = 'You have received GHS 100.00 from KOFI. MTN Mobile Money. New balance GHS 120'
const fresh = (ending?: string) => bench.freshNumber(ending)
const campaignsOf = async (reseller: SmsReseller, query = '') =>
  (await bench.get(reseller, `/sms/campaigns${query}`)).body.data.campaigns as { id: string; status: string }[]

const endpoints = [
  ['POST', '/sms/send'],
  ['GET', '/sms/senders'],
  ['GET', '/sms/campaigns'],
  ['GET', '/sms/messages/0190a000-0000-7000-8000-000000000000'],
  ['GET', '/sms/balance'],
  ['GET', '/sms/opt-outs'],
  ['POST', '/sms/opt-outs'],
  ['POST', '/sms/opt-outs/remove'],
] as const

describeKeyRules(
  {
    get app() {
      return bench.app
    },
  },
  'sms',
  endpoints,
)

describe('all endpoints of SMS', () => {
  it('answer 403 to a wrong key type', async () => {
    const { accountId } = await makeAccount(bench.app.database.db)
    const key = await makeKeyFor(bench.app.database.db, accountId, 'standard')
    for (const path of ['/sms/senders', '/sms/campaigns', '/sms/balance', '/sms/messages/0190a000-0000-7000-8000-000000000000']) {
      expect((await bench.app.call('GET', path, { key })).status).toBe(403)
    }
    expect((await bench.app.call('POST', '/sms/send', { key, body: { message, recipients: fresh() } })).status).toBe(403)
  })

  it('are all that an SMS key works on', async () => {
    const { key } = await bench.makeSmsReseller(0)
    for (const path of [
      '/account/role',
      '/packages',
      '/wallet/balance',
      '/orders/nobody',
      '/resultschecker/types',
      '/utilities/billers',
    ]) {
      expect([path, (await bench.app.call('GET', path, { key })).status]).toEqual([path, 403])
    }
  })

  it('have no limit until the operator sets one', async () => {
    const { db } = bench.app.database
    const reseller = await bench.makeSmsReseller(0)
    const askAll = () =>
      Promise.all(
        endpoints.map(([method, path]) =>
          bench.app.call(method, path, { key: reseller.key, ...(method === 'POST' ? { body: {} } : {}) }),
        ),
      )
    expect((await askAll()).map(({ headers }) => headers['ratelimit-policy'])).toEqual(endpoints.map(() => undefined))
    const names = endpoints.map(([method, path]) => `${method} ${path.replace(/[-0-9a-f]{36}$/, '{id}')}`)
    await writeSetting(db, rateLimitsSetting, Object.fromEntries(names.map((name) => [name, 1])), 'test')
    await bench.app.untilSeen()
    const [, second] = [await askAll(), await askAll()]
    await writeSetting(db, rateLimitsSetting, {}, 'test')
    await bench.app.untilSeen()
    expect(second.map(({ status, headers }) => [status, headers['ratelimit-policy']])).toEqual(
      names.map((name) => [429, `"${name}";q=1;w=60`]),
    )
  })

  it('go on while SMS is switched off, but for sending', async () => {
    const reseller = await bench.makeSmsReseller()
    const id = (await bench.send(reseller, { message, recipients: fresh() })).body.data.campaignId as string
    await writeSetting(bench.app.database.db, smsEnabled, false, 'test')
    await bench.app.untilSeen()
    const paths = ['/sms/senders', '/sms/campaigns', `/sms/messages/${id}`, '/sms/balance']
    const answers = await Promise.all(paths.map((path) => bench.get(reseller, path)))
    const sent = await bench.send(reseller, { message: blockedMessage, recipients: fresh(), sender: 'nobody' })
    await writeSetting(bench.app.database.db, smsEnabled, true, 'test')
    await bench.app.untilSeen()
    expect([...answers, sent].map(({ status }) => status)).toEqual([200, 200, 200, 200, 503])
    expect(await campaignsOf(reseller)).toHaveLength(1)
  })
})
