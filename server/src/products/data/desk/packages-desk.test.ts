import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { createSignedInStaff } from '../../../../test/create-signed-in-staff.ts'
import type { TestBrowser } from '../../../../test/open-browser.ts'
import { setUpPeople } from '../../../../test/set-up-people.ts'
import { readWithinASecond } from '../../../../test/within-a-second.ts'
import { closeOffer } from '../offers/close-and-reopen-offer.ts'

const shop = setUpPeople(async () => ({ isStaffTwoFactorNeeded: false }))
const email = 'catalogue@example.test'
let desk: TestBrowser
let key: string

beforeAll(async () => {
  desk = await createSignedInStaff(shop, email, 'catalogue', { hasSecondFactor: false })
  key = (await shop.app.makeReseller({ role: 'agent' })).key
})

const get = async (path: string) => (await desk.ask('GET', `/desk/api/packages${path}`)).body.data
const post = (path: string, body: object) => desk.ask('POST', `/desk/api/packages${path}`, body)
const cellsOf = (cells: object) => ({ cells: [{ network: 'MTN', volume_gb: 1, ...cells }] })
const inGrid = async (network: string, volumeGb: number) => {
  const { packages } = await get('')
  return packages.find((each: { network: string; volume_gb: number }) => each.network === network && each.volume_gb === volumeGb)
}
const priceForAgents = async () => {
  const { body } = await shop.app.call('GET', '/packages?network=MTN&size_gb=1', { key })
  return body.data.packages[0]?.price
}

/** Previews a change and carries it out, as the page does. */
async function change(edit: object, more: object = {}) {
  const { body } = await post('/preview', edit)
  return post('/apply', { ...edit, seen: body.data.seen, is_below_cost_allowed: false, ...more })
}

describe('the price list at the desk', () => {
  it('shows prices, what each role earns, and who delivers', async () => {
    const shown = await inGrid('MTN', 1)
    const cost = shown.offers.find(({ supplier }: { supplier: string }) => supplier === shown.supplier)?.cost
    expect(shown).toMatchObject({ size: '1GB', is_available: true, cost, scheduled: null })
    expect(shown.margins.agent).toBeCloseTo(shown.prices.agent - cost, 10)
  })

  it('is changed as it was previewed, and the API sells at the new price within a second', async () => {
    const { prices, package_id: id } = await inGrid('MTN', 1)
    const wish = cellsOf({ price_agent: prices.agent + 0.1 })
    const { body } = await post('/preview', wish)
    expect(body.data).toMatchObject({ new: 0, changed: 1, losses: [], losses_in_all: 0 })
    const after = Math.round((prices.agent + 0.1) * 100) / 100
    const column = { column: 'price_agent', before: prices.agent, after }
    expect(body.data.packages).toMatchObject([{ name: 'MTN 1GB', change: 'changed', columns: [column] }])
    const order = { ...wish, seen: body.data.seen, is_below_cost_allowed: false, reason: 'dearer' }
    expect((await post('/apply', order)).body.data).toEqual({ changed: 1, unchanged: 0 })
    expect(await readWithinASecond(after, priceForAgents)).toBe(after)
    expect((await get(`/${id}/history`)).changes).toMatchObject([
      { actor: email, action: 'packages edit', reason: 'dearer', columns: [column] },
    ])
    const line = await shop.db.selectFrom('operator_log').selectAll().orderBy('id', 'desc').executeTakeFirstOrThrow()
    expect(line).toMatchObject({
      actor: email,
      action: 'packages edit',
      details: {
        reason: 'dearer',
        before: { 'MTN 1GB': { price_agent: prices.agent } },
        after: { 'MTN 1GB': { price_agent: after } },
        address: expect.any(String),
      },
    })
    const again = await post('/apply', order)
    expect([again.status, again.body.error.message]).toEqual([409, expect.stringContaining('has changed since this was shown')])
  })

  it('is shifted by a percentage and rounded, and back by an amount', async () => {
    const { packages } = await get('')
    const chosen = packages.filter(({ network }: { network: string }) => network === 'Telecel')
    const ids = chosen.map((each: { package_id: string }) => each.package_id)
    const shift = { shift: { package_ids: ids, roles: ['customer'], percent: 5, round_to: 5 } }
    expect((await change(shift)).body.data).toEqual({ changed: ids.length, unchanged: 0 })
    for (const { volume_gb, prices } of chosen) {
      const pesewas = Math.round(prices.customer * 100)
      const expected = Math.floor((pesewas * 1.05) / 5 + 0.5 + 1e-9) * 5
      expect((await inGrid('Telecel', volume_gb)).prices).toEqual({ ...prices, customer: expected / 100 })
    }
    const wrong = await post('/preview', { shift: { network: 'Telecel', roles: ['agent'], amount: -900, round_to: 1 } })
    expect([wrong.status, wrong.body.error.message]).toEqual([
      409,
      expect.stringContaining('the agent price would be 0 or below'),
    ])
    expect((await post('/preview', { shift: { roles: ['agent'], round_to: 1 } })).status).toBe(400)
  })

  it('is not sold below cost unless that is allowed with a reason; a package that is off loses nothing', async () => {
    const wish = cellsOf({ price_dealer: 0.05 })
    const { losses } = (await post('/preview', wish)).body.data
    expect(losses[0]).toMatchObject({
      name: 'MTN 1GB',
      message: expect.stringContaining('the dealer price GHS 0.05 is below what'),
    })
    expect((await change(wish)).status).toBe(409)
    expect((await change(wish, { is_below_cost_allowed: true })).status).toBe(400)
    expect((await change(wish, { is_below_cost_allowed: true, reason: 'a promise' })).status).toBe(200)
    expect((await inGrid('MTN', 1)).offers[0]).toMatchObject({ is_loss: true })
    expect((await change(cellsOf({ is_available: false }))).status).toBe(200)
    expect(await readWithinASecond(undefined, priceForAgents)).toBeUndefined()
    expect((await change(cellsOf({ is_available: true }))).status).toBe(409)
    expect((await change(cellsOf({ is_available: true, price_dealer: 4 }))).status).toBe(200)
  })

  it('goes out as a file, comes back as it was, and a file shows its differences first', async () => {
    const file = (await desk.ask('GET', '/desk/api/packages.csv')).body as string
    const same = (await post('/preview', { file })).body.data
    expect(same).toMatchObject({ new: 0, changed: 0, packages: [] })
    const header = 'network,volume_gb,price_customer,price_agent,price_dealer'
    const fresh = { file: `${header}\nMTN,777,900,890,880\n` }
    const shown = (await post('/preview', fresh)).body.data
    expect(shown).toMatchObject({ new: 1, packages: [{ name: 'MTN 777GB', line: 2, change: 'new' }] })
    expect(shown.not_in_file).toContain('MTN 1GB')
    expect((await change(fresh)).body.data).toEqual({ changed: 1, unchanged: 0 })
    const bad = await post('/preview', { file: `${header}\nMTN,0,1,1,1\n` })
    expect(bad.body.error.message).toContain('line 2: volume_gb must be a number above 0')
  })

  it('shows a closed offer with its reason, and opens it again', async () => {
    const { package_id: packageId, offers } = await inGrid('MTN', 2)
    const [{ supplier, code }] = offers
    await closeOffer(shop.db, { packageId, supplier, code, because: 'no such bundle' })
    expect((await inGrid('MTN', 2)).offers[0]).toMatchObject({ closed_because: 'no such bundle' })
    const offer = { network: 'MTN', volume_gb: 2, supplier }
    expect((await post('/reopen', offer)).body.data).toEqual({ is_reopened: true })
    expect((await post('/reopen', offer)).body.data).toEqual({ is_reopened: false })
    expect((await post('/reopen', { ...offer, supplier: 'nobody' })).status).toBe(404)
    expect((await get(`/${packageId}/history`)).changes).toMatchObject([
      { actor: email },
      { actor: 'worker', reason: 'no such bundle' },
    ])
  })
})

describe('scheduled prices at the desk', () => {
  it('are previewed, made, shown in the list, changed and cancelled', async () => {
    const at = new Date((Math.ceil(Date.now() / 60_000) + 10) * 60_000).toISOString()
    const wish = cellsOf({ price_customer: 9 })
    const { seen } = (await post('/preview-scheduled', { ...wish, effective_at: at })).body.data
    const order = { ...wish, effective_at: at, seen, is_below_cost_allowed: false, note: 'season' }
    const { set_id: id } = (await post('/scheduled', order)).body.data
    expect((await get('/scheduled?state=open')).sets).toMatchObject([{ set_id: id, note: 'season', prices: 1, clashes: 0 }])
    expect(await inGrid('MTN', 1)).toMatchObject({ scheduled: at, scheduled_set_id: id })
    const later = new Date(Date.parse(at) + 60_000).toISOString()
    const again = cellsOf({ price_customer: 9.5 })
    const shown = (await post('/preview-scheduled', { ...again, effective_at: later, set_id: id })).body.data
    const changed = await desk.ask('PUT', `/desk/api/packages/scheduled/${id}`, {
      ...again,
      effective_at: later,
      seen: shown.seen,
      is_below_cost_allowed: false,
    })
    expect(changed.body.data).toEqual({ set_id: id, packages: 1 })
    expect(await get(`/scheduled/${id}`)).toMatchObject({
      effective_at: later,
      note: null,
      lines: [{ role: 'customer', after: 9.5 }],
    })
    expect((await post(`/scheduled/${id}/carry-out`, { is_below_cost_allowed: false, reason: 'now', seen: '' })).status).toBe(409)
    expect((await post(`/scheduled/${id}/cancel`, { reason: 'no season' })).status).toBe(200)
    expect((await post(`/scheduled/${id}/cancel`, {})).status).toBe(409)
    expect((await get('/scheduled?state=cancelled')).sets).toMatchObject([{ set_id: id, ended_by: email }])
    const nowhere = '01890000-0000-7000-8000-000000000000'
    expect((await desk.ask('GET', `/desk/api/packages/scheduled/${nowhere}`)).status).toBe(404)
    expect((await post(`/scheduled/${nowhere}/cancel`, {})).status).toBe(404)
    expect((await post('/scheduled', { ...order, effective_at: '2020-01-01T00:00:00.000Z' })).status).toBe(400)
  })

  it('that have ended stay as they ended, whatever anybody tries', async () => {
    await expect(sql`update scheduled_price_sets set state = 'waiting', ended_at = null`.execute(shop.db)).rejects.toThrow(
      'stays so',
    )
  })
})

describe('the number plan at the desk', () => {
  it('says which networks a prefix is for, and notes numbers that were carried', async () => {
    const numbers = async (method: string, path: string, body?: object) =>
      (await desk.ask(method, `/desk/api/numbers/${path}`, body)) as { status: number; body: { data: Record<string, unknown> } }
    const done = { is_done: true }
    expect((await numbers('PUT', 'prefixes/028', { networks: ['AT'] })).body.data).toEqual(done)
    expect((await numbers('PUT', 'prefixes/028', { networks: ['MTN', 'Telecel'] })).body.data).toEqual(done)
    const { prefixes, operators } = (await numbers('GET', 'prefixes')).body.data
    expect(prefixes).toContainEqual({ prefix: '028', networks: ['MTN', 'Telecel'] })
    expect(operators).toEqual(['AT', 'MTN', 'Telecel'])
    const line = await shop.db.selectFrom('operator_log').selectAll().orderBy('id', 'desc').executeTakeFirstOrThrow()
    const at = ['AT', 'AT-BigTime', 'AT-iShare']
    expect(line).toMatchObject({ action: 'prefix set', subject: '028', details: { before: at, after: ['MTN', 'Telecel'] } })
    expect((await numbers('PUT', 'prefixes/028', { networks: ['Nobody'] })).status).toBe(409)
    for (const number of ['0247000001', '0247000002', '0207000001']) {
      expect((await numbers('PUT', `ported/${number}`, { operator: 'AT' })).body.data).toEqual(done)
    }
    expect((await numbers('GET', 'ported?begins=0247')).body.data).toMatchObject({
      numbers: [{ number: '0247000001', network: 'AT' }, { number: '0247000002' }],
      next: null,
    })
    expect((await numbers('DELETE', 'ported/0247000001')).body.data).toEqual(done)
    expect((await numbers('DELETE', 'ported/0247000001')).status).toBe(409)
    expect((await numbers('GET', 'ported?begins=0247&after=0247000002')).body.data).toEqual({ numbers: [], next: null })
  })
})
