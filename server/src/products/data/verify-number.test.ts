import { afterAll, describe, expect, it } from 'vitest'
import { dataEnabled, registrationServers, registrationSuppliers } from './data.settings.ts'
import { eventually } from './registration/registration-shop.fixture.ts'
import { faultyChecks, mtn, otherNetworks, setUpChecks } from './verify-number.fixture.ts'

const desk = setUpChecks()
const { verify } = desk

const isAllowed = async (number: string) => (await verify(mtn(number))).body.data.allowed as boolean
const areAllowed = (...endings: string[]) => Promise.all(endings.map((ending) => isAllowed(desk.shop.number(ending))))

const submissionsOf = async (number: string) =>
  (await desk.shop.requestsAbout(number))
    .filter(({ what }) => what === 'submitted')
    .map(({ server }) => server)
    .toSorted((a, b) => a - b)

describe('POST /data/verify-number', () => {
  afterAll(() => desk.shop.set(registrationServers, [1, 2]))

  it('200: answers a registered number with the fields of the contract', async () => {
    const recipient = desk.shop.number()
    expect((await verify(mtn(recipient))).body.data).toEqual({ recipient, network: 'MTN', allowed: true })
  })

  it('200: answers every network but MTN with allowed true at once, without asking any server', async () => {
    await desk.shop.steer({ outages: { 1: 'error', 2: 'error' } })
    for (const [network, recipient] of otherNetworks) {
      const { status, body } = await verify({ network, recipient })
      expect([status, body.data]).toEqual([200, { network, recipient, allowed: true }])
      expect(await desk.shop.requestsAbout(recipient)).toEqual([])
    }
  })

  it.each([
    ['911', false],
    ['912', true],
    ['913', true],
    ['914', true],
    ['915', true],
    ['916', true],
    ['917', false],
  ])('200: answers numbers ending in %s by the table of scripted numbers: %s', async (ending, wanted) => {
    expect(await isAllowed(desk.shop.number(ending))).toBe(wanted)
  })

  it.each(['hang', 'refuse', 'error', 'garbage', 'throttle', 'unauthorised'])(
    '200: fails open when the servers do this: %s',
    async (outage) => {
      await desk.shop.steer({ outages: { 1: outage, 2: outage } })
      expect(await isAllowed(desk.shop.number('917'))).toBe(true)
    },
  )

  it('200: fails open when one accepted server says no and the other cannot be asked', async () => {
    await desk.shop.steer({ outages: { 1: 'throttle' } })
    expect(await isAllowed(desk.shop.number('917'))).toBe(true)
  })

  it('200: submits an unregistered number to all accepted servers', async () => {
    const number = desk.shop.number('917')
    await verify(mtn(number))
    expect(await submissionsOf(number)).toEqual([1, 2])
  })

  it('200: submits a number once: not again while it is pending, and never one that is registered on an accepted server', async () => {
    const [pending, elsewhere] = [desk.shop.number('917'), desk.shop.number('912')]
    for (let round = 0; round < 3; round += 1) await verify(mtn(pending))
    await verify(mtn(elsewhere))
    expect(await submissionsOf(pending)).toEqual([1, 2])
    expect(await submissionsOf(elsewhere)).toEqual([])
  })

  it('200: always asks live: a number is allowed as soon as its registration has completed', async () => {
    const number = desk.shop.number('911')
    expect(await isAllowed(number)).toBe(false)
    await eventually(() => isAllowed(number), true)
    expect((await verify(mtn(number), 1)).body.data.allowed).toBe(true)
  })

  it('400: refuses a number of another network, a bad number and an unknown network, and asks nobody', async () => {
    for (const body of faultyChecks) expect((await verify(body)).status).toBe(400)
    expect(await desk.shop.requestsAbout('0201234567')).toEqual([])
  })

  it('401: needs a key', async () => {
    expect((await desk.shop.verify('makola_live_unknown', mtn(desk.shop.number()))).status).toBe(401)
  })

  it('200, then 429: has one budget of 20 requests a minute together with the two servers', async () => {
    const number = desk.shop.number()
    for (let request = 0; request < 20; request += 1) {
      const server = ([undefined, 1, 2] as const)[request % 3]
      expect((await verify(mtn(number), server)).status).toBe(200)
    }
    for (const server of [undefined, 1, 2] as const) {
      const refused = await verify(mtn(number), server)
      expect(refused.status).toBe(429)
      expect(refused.headers['retry-after']).toBeDefined()
    }
  })

  it('503: checks nothing while data is switched off, whatever the network', async () => {
    const number = desk.shop.number('917')
    await desk.shop.set(dataEnabled, false)
    const answers = [await verify(mtn(number)), await verify({ network: 'Telecel', recipient: '0201234567' })]
    await desk.shop.set(dataEnabled, true)
    expect(answers.map(({ status }) => status)).toEqual([503, 503])
    expect(await desk.shop.requestsAbout(number)).toEqual([])
  })

  it('200: follows server 1 alone while only server 1 is accepted', async () => {
    await desk.shop.set(registrationServers, [1])
    expect(await areAllowed('912', '913', '914')).toEqual([true, false, true])
    const number = desk.shop.number('917')
    await verify(mtn(number))
    expect(new Set((await desk.shop.requestsAbout(number)).map(({ server }) => server))).toEqual(new Set([1]))
  })

  it('200: follows server 2 alone while only server 2 is accepted', async () => {
    await desk.shop.set(registrationServers, [2])
    expect(await areAllowed('912', '913', '914', '915')).toEqual([false, true, true, true])
  })

  it('200: fails open, while the single checks answer 502, when no supplier keeps the servers or theirs is disabled', async () => {
    const { shop } = desk
    const suppliers = () => shop.app.database.db.updateTable('suppliers').where('name', '=', 'registration-1')
    const checks = async () => {
      const number = shop.number('917')
      const answers = [await verify(mtn(number)), await verify(mtn(number), 1), await verify(mtn(number), 2)]
      return answers.map(({ status, body }) => (status === 200 ? body.data.allowed : status))
    }
    await shop.set(registrationServers, [1, 2])
    await shop.set(registrationSuppliers, ['nobody', 'datamart'])
    expect(await checks()).toEqual([true, 502, 502])
    await shop.set(registrationSuppliers, ['registration-1', 'registration-2'])
    await suppliers().set({ is_enabled: false }).execute()
    await shop.set(registrationServers, [1, 2])
    expect(await checks()).toEqual([true, 502, false])
    await suppliers().set({ is_enabled: true }).execute()
    await shop.set(registrationServers, [1, 2])
  })
})
