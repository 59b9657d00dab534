import { createHmac } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { pino } from 'pino'
import { Agent, request as send } from 'undici'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { mustPassAudit } from '../../test/must-pass-audit.ts'
import type { TestBrowser } from '../../test/open-browser.ts'
import { anHour, patienceSeconds, untilTrue } from '../../test/patience.ts'
import { readPdf } from '../../test/reading/read-pdf.ts'
import { setByTwoPeople } from '../../test/set-by-two-people.ts'
import { setUpPeople } from '../../test/set-up-people.ts'
import { type RunningSimulator, startSimulator } from '../../test/start-simulator.ts'
import { writeGateway } from '../../test/write-secrets.ts'
import { declineTopUp } from '../accounts/top-ups/confirm-transfers.ts'
import { transferInstructions } from '../money/top-ups/top-ups.settings.ts'
import { openConfiguredGateways } from '../open-configured-gateways.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import { findFreePort } from '../platform/find-free-port.ts'
import { gatewayTimers, verifyDueTopUps, watchSilentGateways } from './gateway-timers.ts'
import { type OpenGateways, openGateways } from './open-gateways.ts'
import { testGateway } from './test-gateway.ts'

const log = pino({ level: 'silent' })
let simulator: RunningSimulator

const shop = setUpPeople(async () => {
  const port = await findFreePort('127.0.0.1')
  simulator = await startSimulator({ callbackBaseUrl: `https://localhost:${port}`, timeScale: 0.1 })
  return { port, dataDir: simulator.dataDir, simulatorUrl: simulator.url }
})

type TopUp = {
  top_up_id: string
  reference: string
  state: string
  said: string | null
  payment_url: string | null
  reason: string | null
}
type Payer = { browser: TestBrowser; accountId: string }

let ama: Payer
let gateways: OpenGateways
let agent: Agent
let made = 0

async function makePayer(email: string): Promise<Payer> {
  const browser = await shop.makeMember(email)
  const { body } = await browser.ask('GET', '/app/api/me')
  return { browser, accountId: body.data.account.account_id }
}

const control = (path: string, body: object) =>
  fetch(`${simulator.url}/control/paystack${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
const behave = (change: object) => control('', change)

beforeAll(async () => {
  ama = await makePayer('ama@example.test')
  gateways = shop.people.gateways
  agent = new Agent({ connect: { ca: await readFile(join(shop.app.dataDir, 'tls', 'ca.pem')) } })
  await setByTwoPeople(shop.db, transferInstructions, 'MoMo to 024 000 0000, Makola Ltd.')
})
afterEach(async () => {
  await fetch(`${simulator.url}/control/paystack`, { method: 'DELETE' })
})
afterAll(async () => {
  await mustPassAudit(shop.db)
  await agent.close()
  await simulator.stop()
})

/** Begins a top-up with the fee that is shown, as the page does. */
async function begin(amount = 100, { browser } = ama, changes: object = {}) {
  made += 1
  const no = made
  const { body: quote } = await browser.ask('GET', `/app/api/top-ups/quote?amount=${amount}`)
  const wish = { reference: `page-reference-${no}`, way: 'paystack', amount, fee: quote.data.fee, ...changes }
  return browser.ask('POST', '/app/api/top-ups', wish)
}

const begun = async (amount?: number, payer?: Payer): Promise<TopUp> => {
  const { status, body } = await begin(amount, payer)
  expect(status).toBe(200)
  return body.data as TopUp
}

/** Presses a button of the payment page. @returns where it leads */
async function press(topUp: TopUp, action: string, more: Record<string, string> = {}): Promise<string | null> {
  const body = new URLSearchParams({ action, ...more })
  const answer = await fetch(topUp.payment_url ?? '', { method: 'POST', body, redirect: 'manual' })
  return answer.headers.get('location')
}

const readOne = async ({ top_up_id: id }: TopUp, { browser } = ama): Promise<TopUp> =>
  (await browser.ask('GET', `/app/api/top-ups/${id}`)).body.data

/** Asks the gateway as the return page does, without its pause, and reads the top-up. */
const verify = async (topUp: TopUp): Promise<TopUp> => {
  await gateways.verifyNow(topUp.top_up_id)
  return readOne(topUp)
}

const untilState = (topUp: TopUp, state: string) =>
  vi.waitFor(async () => expect((await readOne(topUp)).state).toBe(state), { timeout: patienceSeconds * 1_000, interval: 50 })

const creditsOf = async (topUp: TopUp) =>
  await shop.db
    .selectFrom('transfers')
    .select(['kind', 'from_purse', 'to_purse', 'amount'])
    .where('cause_id', '=', topUp.top_up_id)
    .execute()

const once = [{ kind: 'top_up', from_purse: 'top_ups', to_purse: 'main', amount: 10_000 }]

async function postCallback(body: string, secret = 'sk_test_simulated', signature?: string) {
  const headers = {
    'content-type': 'application/json',
    'x-paystack-signature': signature ?? createHmac('sha512', secret).update(body).digest('hex'),
  }
  const { statusCode, body: answer } = await send(`${shop.app.url}/callbacks/paystack`, {
    method: 'POST',
    dispatcher: agent,
    headers,
    body,
  })
  await answer.dump()
  return statusCode
}

const callbackAbout = ({ reference }: TopUp) =>
  JSON.stringify({ event: 'charge.success', data: { reference, status: 'success' } })

const openAlarms = async (subject: string) =>
  (
    await shop.db.selectFrom('alarms').select('name').where('subject', '=', subject).where('cleared_at', 'is', null).execute()
  ).map(({ name }) => name)

const change = (topUp: TopUp, what: ReturnType<typeof sql>) =>
  sql`update top_ups set ${what} where id = ${topUp.top_up_id}`.execute(shop.db)
const expire = (topUp: TopUp) => change(topUp, sql`expires_at = clock_timestamp() - interval '1 second'`)

describe('a try of a gateway', () => {
  it.each(['paystack', 'mtn-momo'])(
    'that is reached with our credentials finds it well, and moves nothing (%s)',
    async (name) => {
      expect(await testGateway({ db: shop.db, gateways }, name, 'cli:ama')).toMatchObject({ isWell: true })
      expect(await shop.db.selectFrom('top_ups').select('id').execute()).toEqual([])
    },
  )
})

describe('a top-up through a gateway', () => {
  it('shows the fee before, takes it from the payer on top, and credits what was asked for', async () => {
    const { body } = await begin(100)
    // 1.95 % of GHS 101.99 is GHS 1.99.
    expect(body.data).toMatchObject({ state: 'pending', amount: 100, fee: 1.99, charged: 101.99 })
    const back = await press(body.data, 'pay', { webhook: 'lost' })
    expect(back).toContain(`/app/top-up/${body.data.top_up_id}`)
    expect(await verify(body.data)).toMatchObject({ state: 'credited', said: 'paid' })
    expect(await creditsOf(body.data)).toEqual(once)
  })

  it('is credited by the callback when the payer never comes back, and once when the callback comes twice', async () => {
    const topUp = await begun()
    await press(topUp, 'stay', { webhook: 'twice' })
    await untilState(topUp, 'credited')
    expect(await postCallback(callbackAbout(topUp))).toBe(200)
    expect(await verify(topUp)).toMatchObject({ state: 'credited' })
    expect(await creditsOf(topUp)).toEqual(once)
  })

  it('is credited once when page, callbacks and timer come at the same moment', async () => {
    const topUps = await Promise.all(Array.from({ length: 3 }, () => begun()))
    for (const topUp of topUps) {
      await press(topUp, 'pay', { webhook: 'lost' })
      await change(topUp, sql`next_ask_at = clock_timestamp()`)
    }
    await Promise.all([
      verifyDueTopUps({ db: shop.db, gateways, log }),
      verifyDueTopUps({ db: shop.db, gateways, log }),
      ...topUps.flatMap((topUp) => [
        verify(topUp),
        verify(topUp),
        postCallback(callbackAbout(topUp)),
        postCallback(callbackAbout(topUp)),
      ]),
    ])
    for (const topUp of topUps) {
      expect((await readOne(topUp)).state).toBe('credited')
      expect(await creditsOf(topUp)).toEqual(once)
    }
  })

  it('is credited by the timer when nothing else comes', async () => {
    await behave({ slowMilliseconds: anHour })
    const topUp = await begun()
    await press(topUp, 'slow', { webhook: 'lost' })
    expect(await verify(topUp)).toMatchObject({ state: 'pending', said: 'in_progress' })
    await fetch(`${simulator.url}/control/paystack/decisions`, { method: 'POST' })
    await vi.waitFor(
      async () => {
        await change(topUp, sql`next_ask_at = clock_timestamp()`)
        await gatewayTimers({ db: shop.db, gateways, log })[0]?.run()
        expect((await readOne(topUp)).state).toBe('credited')
      },
      { timeout: patienceSeconds * 1_000, interval: 200 },
    )
    expect(await creditsOf(topUp)).toEqual(once)
  })

  it('believes no callback: a forged one is refused, and a signed one only makes us ask', async () => {
    const topUp = await begun()
    for (const [secret, signature] of [['sk_of_somebody'], ['', ''], ['', 'zz'], ['', 'ab'.repeat(64)]] as const) {
      expect(await postCallback(callbackAbout(topUp), secret, signature)).toBe(401)
    }
    expect((await readOne(topUp)).said).toBeNull()
    expect(await postCallback(callbackAbout(topUp))).toBe(200)
    expect(await readOne(topUp)).toMatchObject({ state: 'pending', said: 'not_begun' })
    expect(await postCallback('{"event":"charge.success"}')).toBe(200)
    expect(await postCallback('not json')).toBe(200)
    expect(await creditsOf(topUp)).toEqual([])
  })

  it.each([
    ['too_little', 'GHS 100.99 was paid, and GHS 101.99 was asked for'],
    ['other_currency', 'it was paid in NGN, not in GHS'],
  ])('is held with an alarm when what was paid is %s, and only a person ends it', async (paid, reason) => {
    const topUp = await begun()
    await press(topUp, 'pay', { paid, webhook: 'lost' })
    expect(await verify(topUp)).toMatchObject({ state: 'held', reason })
    expect(await verify(topUp)).toMatchObject({ state: 'held' })
    expect(await openAlarms(topUp.reference)).toEqual(['top_up_held'])
    const person = { by: 'kofi', osUser: 'kofi' }
    const decline = { topUpId: topUp.top_up_id, person, reason: 'sent back at the gateway' }
    await inTransaction(shop.db, (tx) => declineTopUp(tx, decline))
    expect(await verify(topUp)).toMatchObject({ state: 'declined', reason: 'sent back at the gateway' })
    expect(await creditsOf(topUp)).toEqual([])
  })

  it('takes silence for no answer: it goes on asking, tells a person, and credits when the gateway speaks again', async () => {
    const topUp = await begun()
    await press(topUp, 'pay', { webhook: 'lost' })
    for (const outage of ['error', 'garbage', 'unauthorised']) {
      await behave({ outage })
      expect(await verify(topUp)).toMatchObject({ state: 'pending', said: 'unanswered' })
    }
    await expire(topUp)
    expect(await verify(topUp)).toMatchObject({ state: 'pending', said: 'unanswered' })
    await watchSilentGateways({ db: shop.db, log })
    expect(await openAlarms('paystack')).toEqual([])
    await change(topUp, sql`unanswered_since = clock_timestamp() - interval '16 minutes'`)
    await watchSilentGateways({ db: shop.db, log })
    expect(await openAlarms('paystack')).toEqual(['gateway_silent'])
    await behave({ outage: 'none' })
    expect(await verify(topUp)).toMatchObject({ state: 'credited' })
    await watchSilentGateways({ db: shop.db, log })
    expect(await openAlarms('paystack')).toEqual([])
  })

  it('ends when nothing was paid in time or the payer was refused, and is credited once if it is paid after all', async () => {
    for (const [action, before, end] of [
      ['cancel', 'pending', 'expired'],
      ['decline', 'failed', 'failed'],
    ] as const) {
      const topUp = await begun()
      await press(topUp, action)
      expect(await verify(topUp)).toMatchObject({ state: before })
      await expire(topUp)
      expect(await verify(topUp)).toMatchObject({ state: end, payment_url: null })
      await press(topUp, 'pay', { webhook: 'lost' })
      expect(await verify(topUp)).toMatchObject({ state: 'credited', reason: null })
      expect(await verify(topUp)).toMatchObject({ state: 'credited' })
      expect(await creditsOf(topUp)).toEqual(once)
    }
  })

  it('raises an alarm when the gateway takes a payment back that was credited, though it answers later only', async () => {
    const topUp = await begun()
    await press(topUp, 'pay', { webhook: 'lost' })
    await verify(topUp)
    await behave({ outage: 'error' })
    await control('/reverse', { reference: topUp.reference })
    const isIt = (state: ReturnType<typeof sql<boolean>>) => async () =>
      (await sql`select from top_ups where id = ${topUp.top_up_id} and ${state}`.execute(shop.db)).rows.length > 0
    await untilTrue(isIt(sql`unanswered_since is not null and next_ask_at > now()`), () => 'it will not be asked about again')
    await behave({ outage: 'none' })
    await change(topUp, sql`next_ask_at = clock_timestamp()`)
    await verifyDueTopUps({ db: shop.db, gateways, log })
    expect(await openAlarms(topUp.reference)).toEqual(['top_up_contradiction'])
    expect(await readOne(topUp)).toMatchObject({ state: 'credited', said: 'paid' })
  })

  it('is the same one under the same reference, and another one is refused under it', async () => {
    const { body: first } = await begin(50)
    const again = { reference: `page-reference-${made}` }
    expect((await begin(50, ama, again)).body.data.top_up_id).toBe(first.data.top_up_id)
    const { status, headers } = await begin(51, ama, again)
    expect([status, headers['x-error-reason']]).toEqual([409, 'reference_taken'])
  })

  it('is refused outside the limits, with a fee that was not shown, and where its gateway is not open', async () => {
    const refusal = async (...wish: Parameters<typeof begin>) => {
      const { status, headers } = await begin(...wish)
      return [status, headers['x-error-reason']]
    }
    expect(await refusal(0.5)).toEqual([400, 'amount_outside'])
    expect(await refusal(10_000.01)).toEqual([400, 'amount_outside'])
    expect(await refusal(100, ama, { fee: 0 })).toEqual([409, 'fee_changed'])
    expect(await refusal(100, ama, { way: 'elsewhere' })).toEqual([503, 'way_closed'])
    const yaw = await makePayer('yaw@example.test')
    await begun(8_000, yaw)
    const both = await Promise.all([begin(8_000, yaw), begin(8_000, yaw)])
    expect(both.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 400])
    expect(both.map(({ headers }) => headers['x-error-reason'])).toContain('daily_limit')
    expect((await yaw.browser.ask('GET', '/app/api/top-ups/ways')).body.data).toMatchObject({ left_today: 4_000, balance: 0 })
  })

  it('fails at once when its page cannot be opened, and tells a person when the gateway refuses us', async () => {
    await behave({ outage: 'error' })
    const { status, headers } = await begin()
    expect([status, headers['x-error-reason']]).toEqual([503, 'payment_not_opened'])
    expect(await openAlarms('paystack')).toEqual([])
    await behave({ outage: 'unauthorised' })
    expect((await begin()).status).toBe(503)
    expect(await openAlarms('paystack')).toEqual(['gateway_refuses'])
  })

  it('is seen by nobody of another account', async () => {
    const topUp = await begun()
    const { browser } = await makePayer('esi@example.test')
    for (const [method, path] of [
      ['GET', ''],
      ['POST', '/verify'],
      ['GET', '/receipt'],
      ['GET', '/picture'],
    ] as const) {
      expect((await browser.ask(method, `/app/api/top-ups/${topUp.top_up_id}${path}`)).status).toBe(404)
    }
    expect((await browser.ask('GET', '/app/api/top-ups')).body.data).toEqual({ top_ups: [], next: null })
  })

  it('stands in a list with pages, and has a receipt once it is credited', async () => {
    const topUp = await begun()
    const path = `/app/api/top-ups/${topUp.top_up_id}/receipt`
    expect((await ama.browser.ask('GET', path)).status).toBe(409)
    await press(topUp, 'pay', { webhook: 'lost' })
    await verify(topUp)
    const receipt = await ama.browser.download(path)
    expect(receipt.type).toBe('application/pdf')
    const [texts = []] = readPdf(receipt.bytes)
    for (const text of [
      'Receipt',
      'GHS 100.00',
      topUp.reference,
      'GHS 101.99, of it a fee of GHS 1.99',
      'Paystack, mobile money',
    ])
      expect(texts).toContain(text)
    const first = (await ama.browser.ask('GET', '/app/api/top-ups?limit=2')).body.data
    expect(first.top_ups[0].top_up_id).toBe(topUp.top_up_id)
    const second = (await ama.browser.ask('GET', `/app/api/top-ups?limit=2&after=${first.next}`)).body.data
    expect(second.top_ups).toHaveLength(2)
    expect(second.top_ups[0].top_up_id < first.next).toBe(true)
    const { body } = await ama.browser.ask('GET', '/app/api/top-ups?state=held')
    expect(body.data.top_ups).toEqual([])
  })
})

describe('a live gateway', () => {
  it('is there when it is set up and switched on, with its credentials sealed', async () => {
    const { secretsKeys, db } = shop.people
    const live = openGateways({ db, log, secretsKeys, publicUrl: 'https://makola.test' })
    expect(await live.offer()).toEqual([])
    const set = (change: object) => writeGateway(db, secretsKeys, { name: 'paystack', change, actor: 'test' })
    await expect(set({ isEnabled: true })).rejects.toThrow('secretKey')
    await set({ credentials: { secretKey: 'sk_live_of_ours' } })
    expect(await live.offer()).toEqual([{ name: 'paystack', title: 'Mobile money or card', kind: 'redirect' }])
    const row = await db.selectFrom('gateways').selectAll().executeTakeFirstOrThrow()
    expect(row).toMatchObject({ base_url: 'https://api.paystack.co', is_enabled: true })
    expect(row.credentials).not.toContain('sk_live')
    await set({ isEnabled: false })
    expect(await live.offer()).toEqual([])
    // Payments that were begun at this gateway are still asked about.
    expect((await live.find('paystack'))?.name).toBe('paystack')
    expect(
      await openConfiguredGateways(
        { publicUrl: '', suppliers: 'live', simulatorUrl: undefined, dataDir: '' },
        shop.people as never,
      ).find('nobody'),
    ).toBeUndefined()
  })
})
