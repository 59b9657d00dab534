import { describe, expect, it } from 'vitest'
import { makeKeyFor } from '../../../test/make-account.ts'
import { setUpShop } from '../../../test/set-up-shop.ts'
import { newId } from '../../platform/database/new-id.ts'

const unlimited = ['GET /orders', 'POST /airtime/purchase']
const shop = setUpShop({ unlimited })

const get = (key: string, query = '') => shop.app.call('GET', `/orders${query}`, { key })
type Listed = { orders: { reference: string; created_at: string }[]; next: string | null }
const list = async (key: string, query = '') => (await get(key, query)).body.data as Listed
const referencesOf = ({ orders }: Listed) => orders.map(({ reference }) => reference)

async function buyData(key: string, recipient = '0241234567', network = 'MTN'): Promise<string> {
  const reference = newId()
  const { status } = await shop.app.call('POST', '/data/purchase', { key, body: { network, volume_gb: 1, recipient, reference } })
  expect(status).toBe(200)
  return reference
}

async function buyAirtime(accountId: string): Promise<string> {
  const reference = newId()
  const key = await makeKeyFor(shop.db, accountId, 'commission')
  const body = { network: 'MTN', beneficiary_phone: '0241234567', amount: 5, reference }
  expect((await shop.app.call('POST', '/airtime/purchase', { key, body })).status).toBe(200)
  return reference
}

describe('GET /orders', () => {
  it('200: lists the orders of all products of the account and of no other, newest first', async () => {
    const [{ accountId, key }, other] = [await shop.app.makeReseller(), await shop.app.makeReseller()]
    await buyData(other.key)
    const bundle = await buyData(key)
    const airtime = await buyAirtime(accountId)
    const { body } = await get(key)
    expect(body.data).toEqual({
      orders: [
        {
          order_id: expect.any(String),
          reference: airtime,
          product: 'airtime',
          status: 'pending',
          network: 'MTN',
          package: null,
          recipient: '0241234567',
          price: 5,
          unit: 'GHS',
          created_at: expect.any(String),
        },
        expect.objectContaining({ reference: bundle, product: 'data', network: 'MTN', package: '1GB' }),
      ],
      next: null,
    })
  })

  it('200: gives each order once over the pages, also when an order is placed between two of them', async () => {
    const { key } = await shop.app.makeReseller()
    const references: string[] = []
    for (let n = 0; n < 5; n += 1) references.push(await buyData(key, `024123456${n}`))
    const first = await list(key, '?limit=2')
    expect(first.next).not.toBeNull()
    await buyData(key)
    const second = await list(key, `?limit=2&after=${first.next}`)
    const third = await list(key, `?limit=2&after=${second.next}`)
    expect([first, second, third].flatMap(referencesOf)).toEqual(references.toReversed())
    expect(third.next).toBeNull()
  })

  it('200: lists only orders that fit every filter', async () => {
    const { accountId, key } = await shop.app.makeReseller()
    const bundle = await buyData(key, '0241234567')
    const telecel = await buyData(key, '0201234567', 'Telecel')
    const airtime = await buyAirtime(accountId)
    const found = async (query: string) => referencesOf(await list(key, query))
    expect(await found('?product=data')).toEqual([telecel, bundle])
    expect(await found('?network=MTN')).toEqual([airtime, bundle])
    expect(await found('?network=MTN&product=data')).toEqual([bundle])
    expect(await found('?recipient=%2B233201234567')).toEqual([telecel])
    expect(await found('?status=pending')).toEqual([airtime, telecel, bundle])
    expect(await found('?status=failed')).toEqual([])
    expect(await found('?product=afa')).toEqual([])
  })

  it('200: takes moments, of which the first is included and the last is not', async () => {
    const { key } = await shop.app.makeReseller()
    const [older, newer] = [await buyData(key), await buyData(key)]
    const [second] = (await list(key)).orders
    const at = encodeURIComponent(second?.created_at ?? '')
    expect(referencesOf(await list(key, `?created_from=${at}`))).toEqual([newer])
    expect(referencesOf(await list(key, `?created_before=${at}`))).toEqual([older])
    expect(referencesOf(await list(key, '?created_from=2019-01-01T00:00:00%2B00:00'))).toEqual([newer, older])
  })

  it.each([
    ['an unknown product', '?product=bundles'],
    ['an unknown status', '?status=done'],
    ['a day instead of a moment', '?created_from=2026-01-15'],
    ['a moment that no calendar has', '?created_before=2026-02-30T00:00:00Z'],
    ['a cursor that is none', '?after=5'],
    ['a cursor in another form of an id', `?after=urn:uuid:${newId()}`],
    ['a page of no orders', '?limit=0'],
    ['a page of too many', '?limit=101'],
  ])('400: refuses %s', async (_name, query) => {
    const { key } = await shop.app.makeReseller()
    expect((await get(key, query)).status).toBe(400)
  })

  it('403: is for standard keys', async () => {
    const { accountId } = await shop.app.makeReseller()
    expect((await get(await makeKeyFor(shop.db, accountId, 'sms'))).status).toBe(403)
  })
})
