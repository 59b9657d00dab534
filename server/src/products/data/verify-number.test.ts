import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { dataEnabled, registrationServers, registrationSuppliers } from './data.settings.ts'
import { eventually, openRegistrationShop, type RegistrationShop } from './registration/registration-shop.fixture.ts'

let shop: RegistrationShop
let key: string
beforeAll(async () => {
  shop = await openRegistrationShop()
})
afterAll(() => shop.close())
beforeEach(async () => {
  // The budget is the key's own: a new key has all of it.
  key = (await shop.app.makeReseller()).key
})
afterEach(() => shop.steerBack())

const mtn = (recipient: string) => ({ network: 'MTN', recipient })

/** What the combined check and the two servers answer: `allowed`, or the status where it is no 200. */
async function checksOf(ending: string): Promise<(boolean | number)[]> {
  const number = shop.number(ending)
  const answers = [
    await shop.verify(key, mtn(number)),
    await shop.verify(key, mtn(number), 1),
    await shop.verify(key, mtn(number), 2),
  ]
  return answers.map(({ status, body }) => (status === 200 ? body.data.allowed : status))
}

describe('POST /data/verify-number and its two servers', () => {
  it('answer a registered number with the fields of the contract', async () => {
    const number = shop.number()
    const common = { recipient: number, network: 'MTN', allowed: true }
    expect((await shop.verify(key, mtn(number))).body.data).toEqual(common)
    expect((await shop.verify(key, mtn(number), 1)).body.data).toEqual({ ...common, server: 1 })
    expect((await shop.verify(key, mtn(number), 2)).body.data).toEqual({ ...common, server: 2 })
  })

  it('answer every network but MTN with allowed true at once, without asking any server', async () => {
    await shop.steer({ outages: { 1: 'error', 2: 'error' } })
    for (const [network, recipient] of [
      ['Telecel', '0201234917'],
      ['AT-iShare', '0261234916'],
      ['AT-BigTime', '0571234911'],
    ] as const) {
      for (const server of [undefined, 1, 2] as const) {
        const { status, body } = await shop.verify(key, { network, recipient }, server)
        expect([status, body.data.allowed, body.data.server]).toEqual([200, true, server])
      }
      expect(await shop.heardAbout(recipient)).toEqual([])
    }
  })

  it.each([
    ['911', [false, false, false]],
    ['912', [true, true, false]],
    ['913', [true, false, true]],
    ['914', [true, 502, true]],
    ['915', [true, true, 502]],
    ['916', [true, 502, 502]],
    ['917', [false, false, false]],
  ])('answer numbers ending in %s as the table of scripted numbers says', async (ending, wanted) => {
    expect(await checksOf(ending)).toEqual(wanted)
  })

  it.each([
    ['hang', 502],
    ['refuse', 502],
    ['error', 502],
    ['garbage', 502],
    ['throttle', 502],
    ['unauthorised', 502],
  ])('fail open together and answer 502 singly when the servers %s', async (outage, status) => {
    const number = shop.number('917')
    await shop.steer({ outages: { 1: outage, 2: outage } })
    expect((await shop.verify(key, mtn(number))).body.data.allowed).toBe(true)
    const single = await shop.verify(key, mtn(number), 2)
    expect([single.status, single.headers['x-error-reason']]).toEqual([status, 'registration_server_unreachable'])
  })

  it('fail open when one accepted server says no and the other cannot be asked', async () => {
    await shop.steer({ outages: { 1: 'throttle' } })
    expect(await checksOf('917')).toEqual([true, 502, false])
  })

  it('submit an unregistered number: the combined check to all accepted servers, a single one to itself', async () => {
    const [together, alone] = [shop.number('917'), shop.number('917')]
    await shop.verify(key, mtn(together))
    await shop.verify(key, mtn(alone), 2)
    const submitted = async (number: string) =>
      (await shop.heardAbout(number))
        .filter(({ what }) => what === 'submitted')
        .map(({ server }) => server)
        .toSorted((a, b) => a - b)
    expect(await submitted(together)).toEqual([1, 2])
    expect(await submitted(alone)).toEqual([2])
  })

  it('submit a number once: not again while it is pending, and never one that is registered on an accepted server', async () => {
    const [pending, elsewhere] = [shop.number('917'), shop.number('912')]
    for (let round = 0; round < 3; round += 1) await shop.verify(key, mtn(pending))
    await shop.verify(key, mtn(elsewhere))
    const submissions = async (number: string) =>
      (await shop.heardAbout(number)).filter(({ what }) => what === 'submitted').length
    expect(await submissions(pending)).toBe(2)
    expect(await submissions(elsewhere)).toBe(0)
  })

  it('always ask live: a number is allowed as soon as its registration has completed', async () => {
    const number = shop.number('911')
    expect((await shop.verify(key, mtn(number))).body.data.allowed).toBe(false)
    await eventually(async () => (await shop.verify(key, mtn(number))).body.data.allowed, true)
    expect((await shop.verify(key, mtn(number), 1)).body.data.allowed).toBe(true)
    await shop.steer({ scripts: { [number]: 'server_2_only' } })
    expect((await shop.verify(key, mtn(number), 1)).body.data.allowed).toBe(false)
  })

  it('answer 400 to a number of another network, a bad number and an unknown network, and ask nobody', async () => {
    for (const body of [
      mtn('0201234567'),
      mtn('241234567'),
      mtn('+233241234567'),
      mtn('024123456 7'),
      { network: 'Vodafone', recipient: '0201234567' },
      { network: 'mtn', recipient: '0241234567' },
      { network: 'MTN' },
      { recipient: '0241234567' },
      { network: 'Telecel', recipient: '0241234567' },
    ]) {
      expect((await shop.verify(key, body, 1)).status).toBe(400)
      expect((await shop.verify(key, body)).status).toBe(400)
    }
    expect(await shop.heardAbout('0201234567')).toEqual([])
  })

  it('need a standard key', async () => {
    expect((await shop.verify('makola_live_unknown', mtn(shop.number()))).status).toBe(401)
  })

  it('share one budget of 20 requests a minute', async () => {
    const number = shop.number()
    for (let request = 0; request < 20; request += 1) {
      const server = ([undefined, 1, 2] as const)[request % 3]
      expect((await shop.verify(key, mtn(number), server)).status).toBe(200)
    }
    for (const server of [undefined, 1, 2] as const) {
      const refused = await shop.verify(key, mtn(number), server)
      expect(refused.status).toBe(429)
      expect(refused.headers['retry-after']).toBeDefined()
    }
  })

  it('answer 503 while data is switched off', async () => {
    const number = shop.number('917')
    await shop.set(dataEnabled, false)
    for (const server of [undefined, 1, 2] as const) expect((await shop.verify(key, mtn(number), server)).status).toBe(503)
    expect((await shop.verify(key, { network: 'Telecel', recipient: '0201234567' })).status).toBe(503)
    await shop.set(dataEnabled, true)
    expect(await shop.heardAbout(number)).toEqual([])
  })
})

describe('POST /data/verify-number', () => {
  afterAll(() => shop.set(registrationServers, [1, 2]))

  it('follows server 1 alone while only server 1 is accepted; the single checks do not', async () => {
    await shop.set(registrationServers, [1])
    expect(await checksOf('912')).toEqual([true, true, false])
    expect(await checksOf('913')).toEqual([false, false, true])
    expect(await checksOf('914')).toEqual([true, 502, true])
    const number = shop.number('917')
    await shop.verify(key, mtn(number))
    expect(new Set((await shop.heardAbout(number)).map(({ server }) => server))).toEqual(new Set([1]))
  })

  it('follows server 2 alone while only server 2 is accepted', async () => {
    await shop.set(registrationServers, [2])
    expect(await checksOf('912')).toEqual([false, true, false])
    expect(await checksOf('913')).toEqual([true, false, true])
    expect(await checksOf('914')).toEqual([true, 502, true])
    expect(await checksOf('915')).toEqual([true, true, 502])
  })

  it('fails open, and the single checks answer 502, while no supplier keeps the servers or theirs is disabled', async () => {
    await shop.set(registrationServers, [1, 2])
    await shop.set(registrationSuppliers, ['nobody', 'datamart'])
    expect(await checksOf('917')).toEqual([true, 502, 502])
    await shop.set(registrationSuppliers, ['registration-1', 'registration-2'])
    await shop.app.database.db.updateTable('suppliers').set({ is_enabled: false }).where('name', '=', 'registration-1').execute()
    await shop.set(registrationServers, [1, 2])
    expect(await checksOf('917')).toEqual([true, 502, false])
    await shop.app.database.db.updateTable('suppliers').set({ is_enabled: true }).where('name', '=', 'registration-1').execute()
    await shop.set(registrationServers, [1, 2])
  })
})
