import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { eventually, openRegistrationShop, type RegistrationShop } from './registration-shop.fixture.ts'
import { probeNumber } from './watch-registration-servers.ts'

let shop: RegistrationShop
let key: string
beforeAll(async () => {
  shop = await openRegistrationShop()
})
afterAll(() => shop.close())
beforeEach(async () => {
  ;({ key } = await shop.app.makeReseller())
})
afterEach(() => shop.steerBack())

const probes = async () => (await shop.requestsAbout(probeNumber)).length
const buy = async (number: string) => (await shop.buy(key, shop.order(number))).body.data.status as string

/** Takes both servers away, and buys until the API has noticed. */
async function takeAway(outage: 'refuse' | 'hang'): Promise<void> {
  await shop.steer({ outages: { 1: outage, 2: outage } })
  for (let number = 0; number < 3; number += 1) expect(await buy(shop.number('917'))).toBe('pending')
  await eventually(async () => {
    const number = shop.number('917')
    await buy(number)
    return (await shop.requestsAbout(number)).length
  }, 0)
}

describe('while both registration servers are away', () => {
  it('100 purchases of unknown numbers are accepted as pending at once, and the servers are asked about none of them', async () => {
    await takeAway('hang')
    const orders = Array.from({ length: 100 }, () => shop.order(shop.number('917')))
    const probed = await probes()
    const answers = await Promise.all(orders.map((order) => shop.buy(key, order)))
    expect(new Set(answers.map(({ body }) => body.data.status))).toEqual(new Set(['pending']))
    for (const { recipient } of orders) expect(await shop.requestsAbout(recipient)).toEqual([])
    // Only probes ask the servers meanwhile, not each purchase.
    expect((await probes()) - probed).toBeLessThan(20)
  })

  it('the checks of a number still ask live, and what they hear ends the absence at once', async () => {
    await takeAway('refuse')
    const number = shop.number('917')
    const body = { network: 'MTN', recipient: number }
    expect((await shop.verify(key, body)).body.data.allowed).toBe(true)
    expect((await shop.verify(key, body, 1)).status).toBe(502)
    expect((await shop.verify(key, body, 2)).status).toBe(502)
    expect(await shop.requestsAbout(number)).toHaveLength(4)
    await shop.steerBack()
    await shop.endAbsence(key)
    expect(await buy(shop.number('917'))).toBe('queued')
  })

  it('they are found again without anybody asking for them', async () => {
    await takeAway('refuse')
    await shop.steerBack()
    await eventually(() => buy(shop.number('917')), 'queued')
    const number = shop.number('917')
    expect(await buy(number)).toBe('queued')
    expect(await shop.requestsAbout(number)).toHaveLength(2)
  })
})

describe('numbers for which a server is scripted to be unreachable', () => {
  it.each(['914', '915', '916'])('do not make it away, however many of them end in %s', async (ending) => {
    for (let bought = 0; bought < 8; bought += 1) expect(await buy(shop.number(ending))).toBe('pending')
    expect(await buy(shop.number('917'))).toBe('queued')
    expect(await buy(shop.number('911'))).toBe('queued')
  })
})
