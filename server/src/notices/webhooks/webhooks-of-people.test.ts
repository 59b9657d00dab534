import { beforeAll, describe, expect, it } from 'vitest'
import { createSignedInStaff } from '../../../test/create-signed-in-staff.ts'
import type { TestBrowser } from '../../../test/open-browser.ts'
import { setUpPeople } from '../../../test/set-up-people.ts'

const shop = setUpPeople(async () => ({ isStaffTwoFactorNeeded: false }))
let owner: TestBrowser
let other: TestBrowser
let staff: TestBrowser

beforeAll(async () => {
  owner = await shop.makeMember('ama@example.test')
  other = await shop.makeMember('kofi@example.test')
  staff = await createSignedInStaff(shop, 'support@example.test', 'owner')
})

const path = '/app/api/webhooks'
const request = { url: 'http://127.0.0.1:9/hook', events: ['order.completed', 'order.failed'] }
const make = async (): Promise<{ endpoint_id: string; secret: string }> => (await owner.ask('POST', path, request)).body.data

describe('the owner of an account', () => {
  it('makes an endpoint, sees its secret once, changes it, gives it a new secret and removes it', async () => {
    const { endpoint_id: id, secret } = await make()
    expect(secret).toMatch(/^whsec_.{44}$/)
    const list = async () => (await owner.ask('GET', path)).body.data
    expect(JSON.stringify(await list())).not.toContain(secret)
    expect((await list()).endpoints).toMatchObject([
      { endpoint_id: id, ...request, state: 'active', waiting: 0, previous_secret_until: null },
    ])
    const changed = { ...request, events: ['wallet.low'] }
    expect((await owner.ask('PUT', `${path}/${id}`, changed)).status).toBe(200)
    const { body } = await owner.ask('POST', `${path}/${id}/secret`)
    expect(body.data.secret).not.toBe(secret)
    expect((await list()).endpoints).toMatchObject([{ events: ['wallet.low'], previous_secret_until: expect.any(String) }])
    await owner.ask('DELETE', `${path}/${id}`)
    expect((await list()).endpoints).toEqual([])
  })

  it('sends a test, sees it in the log, sends it again and pauses', async () => {
    const { endpoint_id: id } = await make()
    await owner.ask('POST', `${path}/${id}/test`)
    const { deliveries, next } = (await owner.ask('GET', `${path}/${id}/deliveries`)).body.data
    expect([deliveries, next]).toMatchObject([[{ type: 'webhook.test', state: 'waiting', tries: 0, status: null }], null])
    const event = `${path}/${id}/deliveries/${deliveries[0].event_id}`
    expect((await owner.ask('GET', event)).body.data).toMatchObject({
      request: expect.stringContaining('webhook.test'),
      answer: null,
    })
    expect((await owner.ask('POST', `${event}/resend`)).status).toBe(200)
    expect((await owner.ask('POST', `${path}/${id}/replay`, { from: '2027-01-01T00:00:00Z' })).body.data).toEqual({
      replayed: 0,
      next: null,
    })
    await owner.ask('POST', `${path}/${id}/state`, { state: 'paused' })
    expect((await owner.ask('GET', path)).body.data.endpoints).toMatchObject([{ state: 'paused', pause_reason: 'owner' }])
    await owner.ask('POST', `${path}/${id}/state`, { state: 'active' })
    expect((await owner.ask('GET', path)).body.data.endpoints).toMatchObject([{ state: 'active', pause_reason: null }])
    await owner.ask('DELETE', `${path}/${id}`)
  })

  it('reaches no endpoint of another account', async () => {
    const { endpoint_id: id } = await make()
    const tries = [
      await other.ask('PUT', `${path}/${id}`, request),
      await other.ask('POST', `${path}/${id}/secret`),
      await other.ask('POST', `${path}/${id}/test`),
      await other.ask('POST', `${path}/${id}/state`, { state: 'paused' }),
      await other.ask('GET', `${path}/${id}/deliveries`),
      await other.ask('DELETE', `${path}/${id}`),
    ]
    expect(tries.map(({ status }) => status)).toEqual(tries.map(() => 404))
    await owner.ask('DELETE', `${path}/${id}`)
  })

  it.each([
    ['an address that is none', { ...request, url: 'shop.example.com' }],
    ['an address with a password', { ...request, url: 'https://a:b@shop.example.com' }],
    ['no event', { ...request, events: [] }],
    ['an unknown event', { ...request, events: ['order.lost'] }],
  ])('is refused %s', async (_name, body) => {
    expect((await owner.ask('POST', path, body)).status).toBe(400)
  })
})

describe('the staff', () => {
  it('sees, pauses, resumes, tests, resends and replays, and each act stands in the log', async () => {
    const { endpoint_id: id } = await make()
    const { account_id: accountId } = await shop.db.selectFrom('webhook_endpoints').select('account_id').executeTakeFirstOrThrow()
    const desk = '/desk/api/webhooks'
    const { body } = await staff.ask('GET', `${desk}?account_id=${accountId}`)
    expect(body.data.endpoints).toMatchObject([{ endpoint_id: id, account_id: accountId }])
    expect((await staff.ask('POST', `${desk}/${id}/pause`)).body.data).toMatchObject({
      state: 'paused',
      pause_reason: 'operator',
    })
    expect((await staff.ask('POST', `${desk}/${id}/resume`)).body.data).toMatchObject({ state: 'active' })
    await staff.ask('POST', `${desk}/${id}/test`)
    const [delivery] = (await staff.ask('GET', `${desk}/${id}/deliveries`)).body.data.deliveries
    await staff.ask('POST', `${desk}/${id}/deliveries/${delivery.event_id}/resend`)
    await staff.ask('POST', `${desk}/${id}/replay`, { from: '2027-01-01T00:00:00Z' })
    const lines = await shop.db.selectFrom('operator_log').select('action').where('subject', '=', id).orderBy('id').execute()
    expect(lines.map(({ action }) => action)).toEqual(
      ['make', 'pause', 'resume', 'test', 'resend', 'replay'].map((act) => `webhook ${act}`),
    )
  })
})
