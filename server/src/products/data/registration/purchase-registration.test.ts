import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openBrowser } from '../../../../test/open-browser.ts'
import { untilTrue } from '../../../../test/patience.ts'
import { retryWhileOverloaded } from '../../../../test/retry-while-busy.ts'
import { testPassword } from '../../../../test/set-up-people.ts'
import { hashPersonPassword } from '../../../people/auth/hash-password.ts'
import { createMember } from '../../../people/manage-people.ts'
import { raiseCatalogueVersion, raiseEpoch } from '../../../platform/database/epoch.ts'
import { inTransaction } from '../../../platform/database/in-transaction.ts'
import { registrationServers, whitelistGate } from '../data.settings.ts'
import { openRegistrationShop, type RegistrationShop } from './registration-shop.fixture.ts'

let shop: RegistrationShop
let key: string
let accountId: string
beforeAll(async () => {
  shop = await openRegistrationShop()
})
afterAll(() => shop.close())
beforeEach(async () => {
  ;({ key, accountId } = await shop.app.makeReseller())
})
afterEach(() => shop.steerBack())

const oneGb = 5.2
const start = 1_000

const ordersOf = async (account: string) =>
  (await shop.app.database.db.selectFrom('orders').select('id').where('account_id', '=', account).execute()).length

/** The statuses of a single purchase and of a batch of one. */
async function statusesOf(ending: string): Promise<unknown[]> {
  const single = await shop.buy(key, shop.order(shop.number(ending)))
  const batch = await shop.buyBatch(key, [shop.order(shop.number(ending))])
  return [single.body.data?.status ?? single.status, batch.body.data.orders[0]?.status ?? batch.body.data.skipped.length]
}

/** Waits until an answer about the number is stored, makes the stored answers older, and makes the API read them again. */
async function age(number: string, interval: string): Promise<void> {
  const { db, ownerDb } = shop.app.database
  const update = sql`update registrations set checked_at = clock_timestamp() - ${interval}::interval where number = ${number}`
  await untilTrue(
    async () => (await update.execute(ownerDb)).numAffectedRows !== 0n,
    () => `nothing is stored about ${number}`,
  )
  await raiseEpoch(db)
  await shop.app.untilSeen()
}

const timesAsked = async (number: string) => (await shop.requestsAbout(number)).filter(({ what }) => what === 'asked').length

describe('with the gate off, a purchase', () => {
  it.each([
    ['911', 'queued'],
    ['912', 'pending'],
    ['913', 'pending'],
    ['914', 'pending'],
    ['915', 'pending'],
    ['916', 'pending'],
    ['917', 'queued'],
    ['000', 'pending'],
  ])('of a number ending in %s is accepted as %s, singly and in a batch', async (ending, status) => {
    expect(await statusesOf(ending)).toEqual([status, status])
    expect(await shop.balance(key)).toBeCloseTo(start - 2 * oneGb)
  })

  it('is charged in full when it is queued, in a batch together with the others', async () => {
    const orders = ['917', '000', '911', '912'].map((ending) => shop.order(shop.number(ending)))
    const { body } = await shop.buyBatch(key, orders)
    expect(body.data).toMatchObject({ orders_placed: 4, total_cost: 20.8, new_balance: 979.2, skipped: [] })
    expect(body.data.orders.map((order: { status: string }) => order.status)).toEqual(['queued', 'pending', 'queued', 'pending'])
  })

  it('is never queued on another network than MTN, and asks nobody about it', async () => {
    for (const [network, recipient] of [
      ['Telecel', '0201234917'],
      ['AT-iShare', '0261234911'],
      ['AT-BigTime', '0271234917'],
    ] as const) {
      expect((await shop.buy(key, shop.order(recipient, { network }))).body.data.status).toBe('pending')
      expect(await shop.requestsAbout(recipient)).toEqual([])
    }
  })

  it.each(['hang', 'refuse', 'error', 'garbage', 'throttle', 'unauthorised'])(
    'fails open to pending when the servers %s',
    async (outage) => {
      await shop.steer({ outages: { 1: outage, 2: outage } })
      expect((await shop.buy(key, shop.order(shop.number('917')))).body.data.status).toBe('pending')
    },
  )

  it('fails open for a whole batch of unknown numbers when every server hangs', async () => {
    await shop.steer({ outages: { 1: 'hang', 2: 'hang' } })
    const orders = Array.from({ length: 100 }, () => shop.order(shop.number('917')))
    const { body } = await shop.buyBatch(key, orders)
    expect(new Set(body.data.orders.map((order: { status: string }) => order.status))).toEqual(new Set(['pending']))
    await shop.steerBack()
    await shop.endAbsence(key)
  })

  it('turns equal requests for an unregistered number racing on two processes into one queued order and one debit', async () => {
    const second = await shop.app.startAnother()
    const body = shop.order(shop.number('917'))
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        retryWhileOverloaded(() => (index % 2 ? shop.app : second).call('POST', '/data/purchase', { key, body })),
      ),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(answers.map((answer) => answer.body.data.order_id)).size).toBe(1)
    expect(await shop.balance(key)).toBeCloseTo(start - oneGb)
  })
})

describe('whoever buys', () => {
  it('has a number asked about once: known for 30 days when registered, and asked again afterwards', async () => {
    const number = shop.number()
    await shop.buy(key, shop.order(number))
    const asked = await timesAsked(number)
    expect(asked).toBe(2)
    await shop.buy(key, shop.order(number))
    await age(number, '29 days 23 hours')
    await shop.buy(key, shop.order(number))
    expect(await timesAsked(number)).toBe(asked)
    await age(number, '30 days 1 minute')
    await shop.buy(key, shop.order(number))
    expect(await timesAsked(number)).toBe(2 * asked)
  })

  it('has a number that is not registered asked about at every purchase, and sold to at once when it is', async () => {
    const number = shop.number('917')
    expect((await shop.buy(key, shop.order(number))).body.data.status).toBe('queued')
    expect((await shop.buy(key, shop.order(number))).body.data.status).toBe('queued')
    expect(await timesAsked(number)).toBe(4)
    await shop.steer({ scripts: { [number]: 'registered' } })
    expect((await shop.buy(key, shop.order(number))).body.data.status).toBe('pending')
    const asked = await timesAsked(number)
    await shop.buy(key, shop.order(number))
    expect(await timesAsked(number)).toBe(asked)
  })

  it('has a number that lost its registration asked about again', async () => {
    const number = shop.number()
    await shop.buy(key, shop.order(number))
    await shop.steer({ scripts: { [number]: 'never_completes' } })
    expect((await shop.verify(key, { network: 'MTN', recipient: number })).body.data.allowed).toBe(false)
    expect((await shop.buy(key, shop.order(number))).body.data.status).toBe('queued')
  })

  it('profits from what a check learnt', async () => {
    const number = shop.number()
    await shop.verify(key, { network: 'MTN', recipient: number })
    const asked = await timesAsked(number)
    await shop.buyBatch(key, [shop.order(number), shop.order(number)])
    expect(await timesAsked(number)).toBe(asked)
  })

  it('has nobody asked for a replay, a conflict, a package that is not sold, or a number of another network', async () => {
    const number = shop.number('917')
    const body = shop.order(number)
    await shop.buy(key, body)
    await sql`delete from registrations where number = ${number}`.execute(shop.app.database.ownerDb)
    const heard = (await shop.requestsAbout(number)).length
    const replay = await shop.buy(key, body)
    expect([replay.status, replay.headers['idempotent-replayed']]).toEqual([200, 'true'])
    expect((await shop.buyBatch(key, [body])).body.data.orders[0].already_processed).toBe(true)
    expect((await shop.buy(key, { ...body, volume_gb: 2 })).status).toBe(409)
    expect((await shop.buy(key, shop.order(number, { volume_gb: 9 }))).status).toBe(404)
    expect((await shop.buy(key, shop.order(number, { network: 'Telecel' }))).status).toBe(400)
    expect(await shop.requestsAbout(number)).toHaveLength(heard)
  })
})

describe('with one accepted server, a purchase', () => {
  afterAll(() => shop.set(registrationServers, [1, 2]))

  it('goes by server 1 alone', async () => {
    await shop.set(registrationServers, [1])
    expect(await statusesOf('912')).toEqual(['pending', 'pending'])
    expect(await statusesOf('913')).toEqual(['queued', 'queued'])
    expect(await statusesOf('914')).toEqual(['pending', 'pending'])
    expect(await statusesOf('917')).toEqual(['queued', 'queued'])
    const number = shop.number('917')
    await shop.buy(key, shop.order(number))
    expect(new Set((await shop.requestsAbout(number)).map(({ server }) => server))).toEqual(new Set([1]))
  })

  it('goes by server 2 alone, also where server 1 has said yes before', async () => {
    await shop.set(registrationServers, [1, 2])
    const number = shop.number('912')
    await shop.buy(key, shop.order(number))
    await shop.set(registrationServers, [2])
    expect((await shop.buy(key, shop.order(number))).body.data.status).toBe('queued')
    expect(await statusesOf('912')).toEqual(['queued', 'queued'])
    expect(await statusesOf('913')).toEqual(['pending', 'pending'])
    expect(await statusesOf('915')).toEqual(['pending', 'pending'])
  })
})

describe('with the gate on', () => {
  let placedBefore: ReturnType<RegistrationShop['order']>
  let ownerKey: string
  beforeAll(async () => {
    ownerKey = (await shop.app.makeReseller()).key
    placedBefore = shop.order(shop.number('917'))
    await shop.buy(ownerKey, placedBefore)
    await shop.set(whitelistGate, true)
  })
  afterAll(() => shop.set(whitelistGate, false))

  it.each([
    ['911', [409, 1]],
    ['912', ['pending', 'pending']],
    ['913', ['pending', 'pending']],
    ['914', ['pending', 'pending']],
    ['915', ['pending', 'pending']],
    ['916', ['pending', 'pending']],
    ['917', [409, 1]],
    ['000', ['pending', 'pending']],
  ])('a number ending in %s comes to %j, singly and in a batch', async (ending, wanted) => {
    expect(await statusesOf(ending)).toEqual(wanted)
  })

  it('an unregistered number is refused with a text that says to retry in 24 hours; nothing is charged and the reference stays free', async () => {
    const body = shop.order(shop.number('917'))
    const { status, headers, body: answer } = await shop.buy(key, body)
    expect([status, headers['x-error-reason']]).toEqual([409, 'number_not_registered'])
    expect(answer.error.message).toMatch(/not registered.*This try placed no order and charged nothing.*24 hours/)
    expect(await shop.balance(key)).toBe(start)
    expect(await ordersOf(accountId)).toBe(0)
    expect((await shop.buy(key, { ...body, network: 'Telecel', recipient: '0201234567' })).status).toBe(200)
  })

  it('a refusal submits the number to all accepted servers, once, and it is sold to as soon as it is registered', async () => {
    const number = shop.number('911')
    const body = shop.order(number)
    await shop.buy(key, body)
    await shop.buyBatch(key, [shop.order(number)])
    const submitted = (await shop.requestsAbout(number)).filter(({ what }) => what === 'submitted')
    expect(submitted.map(({ server }) => server).toSorted((a, b) => a - b)).toEqual([1, 2])
    expect((await shop.buy(key, body)).status).toBe(409)
    await shop.steer({ scripts: { [number]: 'registered' } })
    expect((await shop.buy(key, body)).body.data.status).toBe('pending')
  })

  it('a batch leaves out the unregistered, places and charges the rest, and names each one left out', async () => {
    const [first, second] = [shop.number('917'), shop.number('911')]
    const orders = [
      shop.order(first),
      shop.order(shop.number()),
      shop.order(second),
      shop.order('0201234917', { network: 'Telecel' }),
    ]
    const { status, body } = await shop.buyBatch(key, orders)
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ orders_placed: 2, total_cost: 10.3, new_balance: start - 10.3 })
    expect(body.data.orders.map((order: { reference: string }) => order.reference)).toEqual([
      orders[1]?.reference,
      orders[3]?.reference,
    ])
    expect(body.data.skipped).toEqual(
      [first, second].map((recipient) => ({ recipient, reason: expect.stringMatching(/24 hours/) })),
    )
    expect(await ordersOf(accountId)).toBe(2)
    expect((await shop.app.call('GET', `/orders/${orders[0]?.reference}`, { key })).status).toBe(404)
  })

  it('a batch of nothing but unregistered numbers places and charges nothing, and is no replay', async () => {
    const { status, headers, body } = await shop.buyBatch(key, [shop.order(shop.number('917')), shop.order(shop.number('917'))])
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ orders_placed: 0, total_cost: 0, new_balance: start, orders: [] })
    expect(body.data.skipped).toHaveLength(2)
    expect(headers['idempotent-replayed']).toBeUndefined()
  })

  it('a batch with an invalid order is rejected whole, whatever the gate would leave out', async () => {
    const unregistered = () => shop.order(shop.number('917'))
    expect((await shop.buyBatch(key, [unregistered(), shop.order(shop.number(), { volume_gb: 9 })])).status).toBe(404)
    expect((await shop.buyBatch(key, [shop.order(shop.number('917'), { volume_gb: 9 }), unregistered()])).status).toBe(404)
    expect((await shop.buyBatch(key, [unregistered(), shop.order('0201234567')])).status).toBe(400)
    expect(await shop.balance(key)).toBe(start)
  })

  it('a package that is not sold answers 404 before the gate, and the gate 409 before an empty wallet', async () => {
    const poor = await shop.app.makeReseller({ balancePesewas: 0 })
    const number = shop.number('917')
    expect((await shop.buy(poor.key, shop.order(number))).status).toBe(409)
    // The number is known as unregistered by now, so the gate would stop the order if the gate came first.
    expect((await shop.buy(poor.key, shop.order(number, { volume_gb: 9 }))).status).toBe(404)
    expect((await shop.buyBatch(poor.key, [shop.order(number, { volume_gb: 9 })])).status).toBe(404)
    expect((await shop.buy(poor.key, shop.order(shop.number('917')))).status).toBe(409)
    expect((await shop.buy(poor.key, shop.order(shop.number()))).status).toBe(400)
    const batch = await shop.buyBatch(poor.key, [shop.order(shop.number('917'))])
    expect([batch.status, batch.body.data.skipped.length]).toEqual([200, 1])
  })

  it('an order that was placed before is answered as a replay, singly and in a batch, and a conflict as a conflict', async () => {
    const heard = (await shop.requestsAbout(placedBefore.recipient)).length
    const again = await shop.buy(ownerKey, placedBefore)
    expect([again.status, again.body.data.status, again.headers['idempotent-replayed']]).toEqual([200, 'queued', 'true'])
    const batch = await shop.buyBatch(ownerKey, [placedBefore, shop.order(shop.number('917'))])
    expect(batch.body.data).toMatchObject({ orders_placed: 1, total_cost: 0 })
    expect(batch.body.data.orders[0]).toMatchObject({ reference: placedBefore.reference, already_processed: true })
    expect(batch.body.data.skipped).toHaveLength(1)
    const conflict = shop.order(shop.number('917'), { reference: placedBefore.reference })
    expect((await shop.buy(key, conflict)).status).toBe(409)
    expect((await shop.buyBatch(key, [conflict, shop.order(shop.number())])).status).toBe(409)
    expect(await shop.requestsAbout(placedBefore.recipient)).toHaveLength(heard)
  })

  it('an unavailable package is refused before its number is asked about', async () => {
    const { db, ownerDb } = shop.app.database
    await sql`update packages set is_available = false where network = 'MTN' and volume_gb = 20`.execute(ownerDb)
    await raiseCatalogueVersion(db)
    await shop.app.untilSeen()
    const number = shop.number('917')
    expect((await shop.buy(key, shop.order(number, { volume_gb: 20 }))).status).toBe(404)
    expect(await shop.requestsAbout(number)).toEqual([])
  })
})

describe('a check in the dashboard', () => {
  it('asks about the numbers only when it is told to, and says what the purchase would do', async () => {
    const email = `buyer-${accountId}@example.test`
    const passwordHash = await hashPersonPassword(testPassword)
    await inTransaction(shop.app.database.db, (tx) =>
      createMember(tx, { email, passwordHash, account: accountId, role: 'buyer', actor: 'test' }),
    )
    const browser = await openBrowser(shop.app)
    await browser.ask('POST', '/app/api/sign-in', { email, password: testPassword })
    const [registered, unregistered] = [shop.number(), shop.number('917')]
    const lines = [registered, unregistered].map((recipient) => ({ recipient, network: 'MTN', volume_gb: 1 }))
    const check = async (path: string) => {
      const { data } = (await browser.ask('POST', `/app/api/data/${path}`, { lines })).body
      return [data.lines.map(({ state, reason }: Record<string, unknown>) => reason ?? state), data.total]
    }
    expect(await check('check')).toEqual([['ready', 'ready'], 10.4])
    expect(await timesAsked(unregistered)).toBe(0)
    expect(await check('check-registrations')).toEqual([['ready', 'waits'], 10.4])
    await shop.set(whitelistGate, true)
    expect(await check('check-registrations')).toEqual([['ready', 'number_not_registered'], 5.2])
    await shop.set(whitelistGate, false)
    await browser.close()
  })
})
