import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Answer } from '../../../test/start-test-app.ts'
import { dataEnabled, registrationServers } from './data.settings.ts'
import { openRegistrationShop, type RegistrationShop } from './registration/registration-shop.fixture.ts'

/** A shop with two registration servers, and the functions that the tests of checks share. */
export type ChecksSetUp = {
  readonly shop: RegistrationShop
  /** A new key for each test, because each key has its own limit of checks. */
  readonly key: string
  /** Asks one server, or all accepted ones. */
  readonly verify: (body: unknown, server?: 1 | 2) => Promise<Answer>
}

export const mtn = (recipient: string) => ({ network: 'MTN', recipient })

/** Requests that every check refuses: malformed numbers, numbers of another network, unknown networks, and missing fields. */
export const faultyChecks = [
  mtn('0201234567'),
  mtn('241234567'),
  mtn('+233241234567'),
  mtn('024123456 7'),
  { network: 'Vodafone', recipient: '0201234567' },
  { network: 'mtn', recipient: '0241234567' },
  { network: 'MTN' },
  { recipient: '0241234567' },
  { network: 'Telecel', recipient: '0241234567' },
]

/** Numbers of networks without registration. */
export const otherNetworks = [
  ['Telecel', '0201234917'],
  ['AT-iShare', '0261234916'],
  ['AT-BigTime', '0571234911'],
] as const

export function setUpChecks(): ChecksSetUp {
  let shop: RegistrationShop
  let key: string
  beforeAll(async () => {
    shop = await openRegistrationShop()
  })
  afterAll(() => shop.close())
  beforeEach(async () => {
    key = (await shop.app.makeReseller()).key
  })
  afterEach(() => shop.steerBack())
  return {
    get shop() {
      return shop
    },
    get key() {
      return key
    },
    verify: (body, server) => shop.verify(key, body, server),
  }
}

/**
 * Declares the tests of the check of a single server.
 * @param endings its answers about scripted numbers
 */
export function describeSingleCheck(server: 1 | 2, endings: readonly (readonly [ending: string, answer: boolean | 502])[]): void {
  const desk = setUpChecks()
  const check: SingleCheck = { desk, server, other: server === 1 ? 2 : 1, verify: (body) => desk.verify(body, server) }
  describeAnswers(check, endings)
  describeItsServer(check)
  describeRefusals(check)
}

/** The check of a single server. It must never use the server `other`. */
type SingleCheck = {
  readonly desk: ChecksSetUp
  readonly server: 1 | 2
  readonly other: 1 | 2
  readonly verify: (body: unknown) => Promise<Answer>
}

function describeAnswers(
  { desk, server, other, verify }: SingleCheck,
  endings: readonly (readonly [ending: string, answer: boolean | 502])[],
): void {
  it('200: answers a registered number with the fields of the contract', async () => {
    const recipient = desk.shop.number()
    expect((await verify(mtn(recipient))).body.data).toEqual({ recipient, network: 'MTN', allowed: true, server })
  })

  it('200: answers every network but MTN with allowed true at once, without asking any server', async () => {
    await desk.shop.steer({ outages: { 1: 'error', 2: 'error' } })
    for (const [network, recipient] of otherNetworks) {
      const { status, body } = await verify({ network, recipient })
      expect([status, body.data.allowed, body.data.server]).toEqual([200, true, server])
      expect(await desk.shop.requestsAbout(recipient)).toEqual([])
    }
  })

  it.each(endings)('200 or 502: answers numbers ending in %s by the table of scripted numbers: %s', async (ending, wanted) => {
    const { status, body } = await verify(mtn(desk.shop.number(ending)))
    expect(status === 200 ? body.data.allowed : status).toBe(wanted)
  })

  it('200: answers alike whichever server purchases go by', async () => {
    for (const accepted of [1, 2] as const) {
      await desk.shop.set(registrationServers, [accepted])
      for (const [ending, wanted] of endings) {
        const { status, body } = await verify(mtn(desk.shop.number(ending)))
        expect([ending, status === 200 ? body.data.allowed : status]).toEqual([ending, wanted])
      }
    }
    await desk.shop.set(registrationServers, [1, 2])
  })

  it('200: always asks live', async () => {
    const number = desk.shop.number('000')
    expect((await verify(mtn(number))).body.data.allowed).toBe(true)
    await desk.shop.steer({ scripts: { [number]: `server_${other}_only` } })
    expect((await verify(mtn(number))).body.data.allowed).toBe(false)
  })
}

/**
 * Tests that a single server's endpoint uses only that server: it answers 502 when that server fails, and asks or submits
 * nothing at the other one.
 */
function describeItsServer({ desk, server, other, verify }: SingleCheck): void {
  it.each(['hang', 'refuse', 'error', 'garbage', 'throttle', 'unauthorised'])(
    '502: never allows a number while its server does this: %s',
    async (outage) => {
      await desk.shop.steer({ outages: { [server]: outage } })
      const answer = await verify(mtn(desk.shop.number('917')))
      expect([answer.status, answer.headers['x-error-reason']]).toEqual([502, 'registration_server_unreachable'])
    },
  )

  it('200: does not need the other server', async () => {
    await desk.shop.steer({ outages: { [other]: 'error' } })
    expect((await verify(mtn(desk.shop.number()))).body.data.allowed).toBe(true)
  })

  it('200: submits an unregistered number to itself alone', async () => {
    const number = desk.shop.number('917')
    expect((await verify(mtn(number))).body.data.allowed).toBe(false)
    const submitted = (await desk.shop.requestsAbout(number)).filter(({ what }) => what === 'submitted')
    expect(submitted.map((heard) => heard.server)).toEqual([server])
  })
}

function describeRefusals({ desk, server, verify }: SingleCheck): void {
  it('400: refuses a number of another network, a bad number and an unknown network, and asks nobody', async () => {
    for (const body of faultyChecks) expect((await verify(body)).status).toBe(400)
    expect(await desk.shop.requestsAbout('0201234567')).toEqual([])
  })

  it('401: needs a key', async () => {
    expect((await desk.shop.verify('makola_live_unknown', mtn(desk.shop.number()), server)).status).toBe(401)
  })

  it('503: checks nothing while data is switched off', async () => {
    const number = desk.shop.number('917')
    await desk.shop.set(dataEnabled, false)
    const { status } = await verify(mtn(number))
    await desk.shop.set(dataEnabled, true)
    expect(status).toBe(503)
    expect(await desk.shop.requestsAbout(number)).toEqual([])
  })
}
