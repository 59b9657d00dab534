import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { pino } from 'pino'
import { Agent, request as send } from 'undici'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { mustPassAudit } from '../../../test/must-pass-audit.ts'
import type { TestBrowser } from '../../../test/open-browser.ts'
import { anHour, patienceSeconds } from '../../../test/patience.ts'
import { readPdf } from '../../../test/reading/read-pdf.ts'
import { setUpPeople } from '../../../test/set-up-people.ts'
import { type RunningSimulator, startSimulator } from '../../../test/start-simulator.ts'
import { writeGateway } from '../../../test/write-secrets.ts'
import { findFreePort } from '../../platform/find-free-port.ts'
import { gatewayCallbackUrl } from '../gateway-callback-address.ts'
import { verifyDueTopUps } from '../gateway-timers.ts'
import { type OpenGateways, openGateways } from '../open-gateways.ts'
import { translateRequested, translateStatus } from './translate-mtn-momo.ts'

const log = pino({ level: 'silent' })
let simulator: RunningSimulator
let ama: TestBrowser
let gateways: OpenGateways
let agent: Agent
let made = 0

const shop = setUpPeople(async () => {
  const port = await findFreePort('127.0.0.1')
  simulator = await startSimulator({ callbackBaseUrl: `https://localhost:${port}`, timeScale: 0.1 })
  return { port, dataDir: simulator.dataDir, simulatorUrl: simulator.url }
})

type TopUp = { top_up_id: string; reference: string; state: string; said: string | null; payer_phone: string | null }

const control = (method: string, path = '', change?: object) =>
  fetch(`${simulator.url}/control/mtn-momo${path}`, {
    method,
    ...(change && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(change) }),
  })
const behave = (change: object) => control('POST', '', change)

beforeAll(async () => {
  ama = await shop.makeMember('ama@example.test')
  gateways = shop.people.gateways
  agent = new Agent({ connect: { ca: await readFile(join(shop.app.dataDir, 'tls', 'ca.pem')) } })
})
afterEach(async () => {
  await control('DELETE')
})
afterAll(async () => {
  await mustPassAudit(shop.db)
  await agent.close()
  await simulator.stop()
})

/** Begins a top-up of GHS 100 whose payer's number has this ending. */
async function begin(ending: string, changes: object = {}) {
  made += 1
  const { body: quote } = await ama.ask('GET', '/app/api/top-ups/quote?amount=100')
  const wish = {
    reference: `page-reference-${made}`,
    way: 'mtn-momo',
    amount: 100,
    fee: quote.data.fee,
    phone: `0241230${ending}`,
  }
  return ama.ask('POST', '/app/api/top-ups', { ...wish, ...changes })
}

const begun = async (ending: string): Promise<TopUp> => {
  const { status, body } = await begin(ending)
  expect(status).toBe(200)
  return body.data as TopUp
}

const readOne = async ({ top_up_id: id }: TopUp): Promise<TopUp> => (await ama.ask('GET', `/app/api/top-ups/${id}`)).body.data

const verify = async (topUp: TopUp): Promise<TopUp> => {
  await gateways.verifyNow(topUp.top_up_id)
  return readOne(topUp)
}

/** Asks again and again, as the page does, until the top-up is as expected. */
const untilVerified = (topUp: TopUp, like: object) =>
  vi.waitFor(async () => expect(await verify(topUp)).toMatchObject(like), { timeout: patienceSeconds * 1_000, interval: 100 })

const untilRead = (topUp: TopUp, like: object) =>
  vi.waitFor(async () => expect(await readOne(topUp)).toMatchObject(like), { timeout: patienceSeconds * 1_000, interval: 50 })

const creditsOf = async (topUp: TopUp) =>
  await shop.db.selectFrom('transfers').select(['kind', 'amount']).where('cause_id', '=', topUp.top_up_id).execute()
const once = [{ kind: 'top_up', amount: 10_000 }]

const addressOf = ({ reference }: TopUp) => gatewayCallbackUrl(shop.app.url, shop.people.secretsKeys, 'mtn-momo', reference)

async function callBack(url: string, method: 'PUT' | 'POST' = 'PUT', body = '{"status":"SUCCESSFUL"}') {
  const headers = { 'content-type': 'application/json' }
  const answer = await send(url, { method, dispatcher: agent, headers, body })
  await answer.body.dump()
  return answer.statusCode
}

const requestsToPay = async () => {
  const { counts } = (await (await fetch(`${simulator.url}/requests`)).json()) as { counts: Record<string, number> }
  return counts['POST /mtn-momo/collection/v1_0/requesttopay'] ?? 0
}

const openAlarms = async (subject: string) =>
  (
    await shop.db.selectFrom('alarms').select('name').where('subject', '=', subject).where('cleared_at', 'is', null).execute()
  ).map(({ name }) => name)

describe('a top-up that is approved on the phone', () => {
  it('is asked of the number, has no page, and is credited by the callback, which comes as PUT', async () => {
    const ways = await ama.ask('GET', '/app/api/top-ups/ways')
    expect(ways.body.data.ways).toMatchObject([{ kind: 'redirect' }, { way: 'mtn-momo', kind: 'prompt' }])
    await behave({ approvalMilliseconds: anHour })
    const topUp = await begun('001')
    expect(topUp).toMatchObject({
      state: 'pending',
      said: 'in_progress',
      payment_url: null,
      payer_phone: '0241230001',
      charged: 101.99,
    })
    await control('POST', '/decisions')
    await untilRead(topUp, { state: 'credited', said: 'paid' })
    expect(await creditsOf(topUp)).toEqual(once)
    const receipt = await send(`${shop.app.url}/app/api/top-ups/${topUp.top_up_id}/receipt`, {
      dispatcher: agent,
      headers: { cookie: [...ama.cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
    })
    expect(readPdf(Buffer.from(await receipt.body.arrayBuffer())).flat()).toContain('MTN MoMo, mobile money')
  })

  it('is credited once when page, callbacks and timer come at the same moment', async () => {
    const topUps = await Promise.all(['933', '933'].map(begun))
    for (const topUp of topUps) {
      await vi.waitFor(
        async () => expect((await (await gateways.find('mtn-momo'))?.ask(topUp.reference))?.meaning).toBe('paid'),
        { timeout: patienceSeconds * 1_000, interval: 50 },
      )
      expect((await readOne(topUp)).state).toBe('pending')
    }
    await sql`update top_ups set next_ask_at = clock_timestamp() where state = 'pending'`.execute(shop.db)
    await Promise.all([
      verifyDueTopUps({ db: shop.db, gateways, log }),
      verifyDueTopUps({ db: shop.db, gateways, log }),
      ...topUps.flatMap((topUp) => [verify(topUp), callBack(addressOf(topUp)), callBack(addressOf(topUp), 'POST')]),
    ])
    for (const topUp of topUps) {
      expect((await readOne(topUp)).state).toBe('credited')
      expect(await creditsOf(topUp)).toEqual(once)
    }
  })

  it('is credited by the timer when the callback is lost and nobody looks', async () => {
    const topUp = await begun('933')
    await vi.waitFor(
      async () => {
        await sql`update top_ups set next_ask_at = clock_timestamp() where id = ${topUp.top_up_id} and state = 'pending'`.execute(
          shop.db,
        )
        await verifyDueTopUps({ db: shop.db, gateways, log })
        expect((await readOne(topUp)).state).toBe('credited')
      },
      { timeout: patienceSeconds * 1_000, interval: 200 },
    )
    expect(await creditsOf(topUp)).toEqual(once)
  })

  it('believes no callback: one to another address is refused, and one to the right address only makes us ask', async () => {
    const topUp = await begun('934')
    const address = addressOf(topUp)
    const other = addressOf({ ...topUp, reference: 'topup-of-somebody' })
    const swapped = `${address.slice(0, address.lastIndexOf('/'))}${other.slice(other.lastIndexOf('/'))}`
    expect(await callBack(swapped)).toBe(401)
    expect(await callBack(`${address}A`)).toBe(401)
    expect(await callBack(`${shop.app.url}/callbacks/mtn-momo`, 'POST')).toBe(404)
    expect(await callBack(address.replace('mtn-momo', 'paystack'))).toBe(404)
    expect(await callBack(address)).toBe(200)
    expect(await callBack(address, 'POST', 'not json')).toBe(200)
    expect(await callBack(other)).toBe(200)
    expect(await readOne(topUp)).toMatchObject({ state: 'pending', said: 'in_progress' })
    expect(await creditsOf(topUp)).toEqual([])
  })

  it.each([
    ['935', { state: 'held', reason: 'GHS 100.99 was paid, and GHS 101.99 was asked for' }],
    ['936', { state: 'held', reason: 'it was paid in EUR, not in GHS' }],
    ['931', { state: 'failed', reason: 'The payment was declined on the phone.' }],
    ['937', { state: 'failed', reason: 'There is not enough money in the mobile money wallet.' }],
  ])('ends without money for the number …%s', async (ending, like) => {
    const topUp = await begun(ending)
    await untilVerified(topUp, like)
    expect(await creditsOf(topUp)).toEqual([])
    expect(await openAlarms(topUp.reference)).toEqual(like.state === 'held' ? ['top_up_held'] : [])
  })

  it('takes silence for no answer and credits when the gateway speaks again, also when nobody saw the request arrive', async () => {
    await behave({ outage: 'request_lost' })
    const topUp = await begun('933')
    expect(topUp).toMatchObject({ state: 'pending', said: 'unanswered' })
    for (const outage of ['error', 'garbage', 'unauthorised']) {
      await behave({ outage })
      expect(await verify(topUp)).toMatchObject({ state: 'pending', said: 'unanswered' })
    }
    await behave({ outage: 'none' })
    await untilVerified(topUp, { state: 'credited' })
    expect(await creditsOf(topUp)).toEqual(once)
  })

  it('is the same request when it is sent again, and is not sent again once it is known to have arrived', async () => {
    await behave({ outage: 'request_lost' })
    const { body: lost } = await begin('934')
    const again = { reference: `page-reference-${made}` }
    const before = await requestsToPay()
    await behave({ outage: 'none' })
    // The gateway answers the first repeat with 409, because it has this request already.
    const repeats = [await begin('934', again), await begin('934', again)]
    for (const { body } of repeats) {
      expect(body.data).toMatchObject({ top_up_id: lost.data.top_up_id, state: 'pending', said: 'in_progress' })
    }
    expect(await requestsToPay()).toBe(before + 1)
    const other = await begin('001', again)
    expect([other.status, other.headers['x-error-reason']]).toEqual([409, 'reference_taken'])
  })

  it('needs a number, and fails at once when nothing was asked of the gateway', async () => {
    const refusal = async (changes: object) => {
      const { status, headers } = await begin('001', changes)
      return [status, headers['x-error-reason']]
    }
    expect(await refusal({ phone: undefined })).toEqual([400, 'phone_needed'])
    expect((await refusal({ phone: '024' }))[0]).toBe(400)
    await control('DELETE', '/tokens')
    await behave({ outage: 'error' })
    // A token is kept in memory, so the request itself was sent. It got no answer, so it may have arrived.
    expect((await begun('934')).said).toBe('unanswered')
    await behave({ outage: 'unauthorised' })
    expect(await refusal({})).toEqual([503, 'payer_not_asked'])
    expect(await openAlarms('mtn-momo')).toEqual(['gateway_refuses'])
    // Now no token is kept, and none is to be had: the request was certainly never sent.
    await behave({ outage: 'error' })
    expect(await refusal({})).toEqual([503, 'payer_not_asked'])
  })

  it('takes a new access token when the kept one is refused', async () => {
    await begun('934')
    await control('DELETE', '/tokens')
    await behave({ approvalMilliseconds: anHour })
    const topUp = await begun('001')
    expect(topUp.said).toBe('in_progress')
    await control('POST', '/decisions')
    await untilRead(topUp, { state: 'credited' })
  })
})

describe('answers that say nothing', () => {
  const answered = (status: number, body: object | string) =>
    ({ kind: 'answered', status, body: typeof body === 'string' ? body : JSON.stringify(body) }) as const
  const paid = { status: 'SUCCESSFUL', amount: '101.99', currency: 'GHS', externalId: 'topup-1' }

  it('reads amounts exactly and guesses at nothing', () => {
    for (const [amount, amountPesewas] of [
      ['101.99', 10_199],
      ['101.9', 10_190],
      ['101', 10_100],
      [101.99, 10_199],
      ['0.29', 29],
      ['101.9900', 10_199],
    ] as const) {
      expect(translateStatus(answered(200, { ...paid, amount }))).toMatchObject({ meaning: 'paid', amountPesewas })
    }
    for (const change of [
      { amount: '101.999' },
      { amount: '1e3' },
      { amount: undefined },
      { currency: '' },
      { externalId: null },
      { status: 'DONE' },
    ]) {
      expect(translateStatus(answered(200, { ...paid, ...change })).meaning).toBe('unanswered')
    }
    expect(translateStatus(answered(404, { code: 'RESOURCE_NOT_FOUND' })).meaning).toBe('not_known')
    expect(translateStatus(answered(404, '<html>')).meaning).toBe('unanswered')
    expect(translateStatus(answered(200, { status: 'FAILED', reason: { code: 'EXPIRED' } }))).toMatchObject({
      meaning: 'failed',
      reason: 'The payment was not approved in time.',
    })
    expect([400, 409, 429, 500].map((status) => translateRequested(answered(status, '')).meaning)).toEqual([
      'refused',
      'prompted',
      'unanswered',
      'unanswered',
    ])
  })
})

it('is a live gateway once all its credentials are set', async () => {
  const { secretsKeys, db } = shop.people
  const live = openGateways({ db, log, secretsKeys, publicUrl: 'https://makola.test' })
  const set = (credentials: Record<string, string>) =>
    writeGateway(db, secretsKeys, { name: 'mtn-momo', change: { credentials }, actor: 'test' })
  await expect(set({ apiUser: 'user', apiKey: 'key' })).rejects.toThrow('subscriptionKey')
  await set({ apiUser: 'user', apiKey: 'key', subscriptionKey: 'subscription', targetEnvironment: 'mtnghana' })
  expect(await live.offer()).toMatchObject([{ name: 'mtn-momo', kind: 'prompt' }])
})
