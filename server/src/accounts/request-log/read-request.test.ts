import { describe, expect, it, vi } from 'vitest'
import { makeKeyFor } from '../../../test/make-account.ts'
import { patienceSeconds } from '../../../test/patience.ts'
import { setUpShop } from '../../../test/set-up-shop.ts'
import { newId } from '../../platform/database/new-id.ts'

const shop = setUpShop({ unlimited: ['GET /requests/{request_id}'] })

const get = (key: string, requestId: string) => shop.app.call('GET', `/requests/${encodeURIComponent(requestId)}`, { key })

/** Calls are written to the log about a second after their answers. */
const untilLogged = (key: string, requestId: string, status: number) =>
  vi.waitFor(
    async () => {
      const answer = await get(key, requestId)
      expect(answer.body.data?.status).toBe(status)
      return answer.body.data
    },
    { timeout: patienceSeconds * 1_000, interval: 100 },
  )

describe('GET /requests/{request_id}', () => {
  it('200: tells what was sent and what was answered, by the X-Request-Id of the answer', async () => {
    const { key } = await shop.app.makeReseller()
    const body = { network: 'MTN', volume_gb: 1, recipient: '0241234567', reference: newId() }
    const bought = await shop.app.call('POST', '/data/purchase', { key, body })
    const requestId = bought.headers['x-request-id'] as string
    const call = await untilLogged(key, requestId, 200)
    expect(call).toMatchObject({
      request_id: requestId,
      key_type: 'standard',
      key_hint: key.slice(-4),
      method: 'POST',
      path: '/data/purchase',
      reason: null,
      references: [body.reference],
      order_id: bought.body.data.order_id,
      params: null,
      query: null,
      body,
      response: { data: { reference: body.reference } },
    })
  })

  it('200: tells of a refusal with any key of the account, and of the newest call under an id that was sent twice', async () => {
    const { accountId, key } = await shop.app.makeReseller()
    const sms = await makeKeyFor(shop.db, accountId, 'sms')
    const headers = { 'x-request-id': `mine-${newId()}` }
    await shop.app.call('GET', '/sms/balance', { key: sms, headers })
    await untilLogged(key, headers['x-request-id'], 200)
    await shop.app.call('GET', '/sms/balance', { key, headers })
    expect(await untilLogged(key, headers['x-request-id'], 403)).toMatchObject({ reason: 'wrong_key_type', key_type: 'standard' })
  })

  it('404: finds no call of another account, and none that was not made', async () => {
    const [owner, other] = [await shop.app.makeReseller(), await shop.app.makeReseller()]
    const headers = { 'x-request-id': `mine-${newId()}` }
    await shop.app.call('GET', '/wallet/balance', { key: owner.key, headers })
    await untilLogged(owner.key, headers['x-request-id'], 200)
    const answer = await get(other.key, headers['x-request-id'])
    expect(answer.status).toBe(404)
    expect(answer.headers['x-error-reason']).toBe('call_not_found')
    expect((await get(owner.key, 'never-sent')).status).toBe(404)
    expect((await get(owner.key, 'never\u0000sent')).status).toBeLessThan(500)
  })
})
