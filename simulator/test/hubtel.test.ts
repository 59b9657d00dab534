import type { IncomingMessage } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Answered, Json, TestSimulator } from './start-test-simulator.ts'
import { anHour, eventually, startTestSimulator } from './start-test-simulator.ts'

const ids = {
  mtn: 'fdd76c884e614b1c8f669a3207b09a98',
  mtnData: 'b230733cd56b4a0fad820e39f66bc27c',
  ecg: 'e6d6bac062b5499cb1ece1ac3d742a84',
  water: '6c1e8a82d2e84feeb8bfd6be2790d71d',
  dstv: '297a96656b5846ad8b00d5d41b256ea7',
}
const authorization = `Basic ${Buffer.from('simulated-hubtel-id:simulated-hubtel-key').toString('base64')}`

/** `at` is in milliseconds since 1970. */
type Received = { readonly path: string; readonly body: Json; readonly at: number }
const received: Received[] = []
let receiver: ReturnType<typeof createServer>
let callbackBase: string
let simulator: TestSimulator & AsyncDisposable

async function readAll(request: IncomingMessage): Promise<Json> {
  let text = ''
  for await (const part of request) text += String(part)
  return JSON.parse(text) as Json
}

beforeAll(async () => {
  receiver = createServer((request, response) => {
    void readAll(request).then((body) => {
      received.push({ path: request.url ?? '', body, at: Date.now() })
      response.end()
    })
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  callbackBase = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/callbacks/hubtel`
  simulator = await startTestSimulator()
})
beforeEach(() => {
  received.length = 0
})
afterEach(async () => {
  await simulator.request('DELETE', '/control/behaviour')
})
afterAll(async () => {
  await simulator[Symbol.asyncDispose]()
  receiver.closeAllConnections()
  receiver.close()
})

const pathOf = (service: string) => `/hubtel/commissionservices/simulated-prepaid/${service}`
const ask = (path: string) => simulator.request('GET', path, undefined, { authorization })
const query = (service: string, text: string) => ask(`${pathOf(service)}?${text}`)
const status = (reference: string) => ask(`/hubtel/transactions/simulated-pos-sales/status?clientReference=${reference}`)

function pay(service: string, reference: string, destination: string, changes: Json = {}): Promise<Answered> {
  const body = {
    Destination: destination,
    Amount: 5,
    CallbackUrl: `${callbackBase}/${reference}/token`,
    ClientReference: reference,
    ...changes,
  }
  return simulator.request('POST', pathOf(service), body, { authorization })
}

const airtime = (reference: string, ending = '000', changes: Json = {}) => pay(ids.mtn, reference, `233241234${ending}`, changes)
const behave = (hubtel: Json) => simulator.request('POST', '/control/behaviour', { hubtel })
const callbacksOf = (reference: string) => received.filter(({ path }) => path.includes(`/${reference}`))
const codeOf = ({ body }: Received) => body.ResponseCode

describe('callbacks', () => {
  test('go to the address that came with the payment, with the code, the commission and our reference', async () => {
    expect((await airtime('told')).json).toMatchObject({
      ResponseCode: '0001',
      Data: { ClientReference: 'told', Amount: 5, Meta: { Commission: '0.1500' } },
    })
    const [callback] = await eventually(
      () => callbacksOf('told'),
      (found) => found.length > 0,
    )
    expect(callback).toMatchObject({
      path: '/callbacks/hubtel/told/token',
      body: {
        ResponseCode: '0000',
        Data: { ClientReference: 'told', AmountDebited: 5, Meta: { Commission: '0.1500' }, RecipientName: '' },
      },
    })
  })

  test('of a bill name the holder whom a look-up names', async () => {
    const rows = (await query(ids.dstv, 'destination=7001234560')).json.Data as { Display: string; Value: string }[]
    await pay(ids.dstv, 'named', '7001234560')
    const [callback] = await eventually(
      () => callbacksOf('named'),
      (found) => found.length > 0,
    )
    const name = rows.find(({ Display }) => Display === 'name')?.Value
    expect(name).toMatch(/\w/)
    expect(callback?.body).toMatchObject({ Data: { RecipientName: name } })
  })

  test('come late and repeated when asked for', async () => {
    await behave({ webhooks: { delayMilliseconds: 400, copies: 3 } })
    await airtime('late')
    const found = await eventually(
      () => callbacksOf('late'),
      (all) => all.length === 3,
    )
    const [effect] = await simulator.effects('?reference=late')
    // All moments are whole milliseconds.
    for (const { at } of found) expect(at - Date.parse(effect?.at ?? '')).toBeGreaterThanOrEqual(399)
  })

  test.each([
    ['forged', /^\/callbacks\/hubtel\/forged\/(?!token$)[A-Za-z0-9_-]{43}$/],
    ['missing', /^\/callbacks\/hubtel\/missing$/],
  ])('have a %s address when asked for', async (signature, path) => {
    await behave({ webhooks: { signature } })
    await airtime(signature)
    const [callback] = await eventually(
      () => callbacksOf(signature),
      (found) => found.length > 0,
    )
    expect(callback?.path).toMatch(path)
  })

  test('contradict themselves when asked for, and claim any code', async () => {
    await behave({ webhooks: { isContradicted: true } })
    await airtime('twofaced')
    const found = await eventually(
      () => callbacksOf('twofaced'),
      (all) => all.length === 2,
    )
    expect(found.map(codeOf)).toEqual(['0000', '2001'])
    const claim = { supplier: 'hubtel', reference: 'twofaced', orderStatus: '4075' }
    expect((await simulator.request('POST', '/control/webhooks', claim)).status).toBe(202)
    await eventually(
      () => callbacksOf('twofaced').map(codeOf),
      (codes) => codes.includes('4075'),
    )
  })
})

describe('a bill', () => {
  test('to an account with 901 is taken, and fails by callback', async () => {
    expect((await pay(ids.dstv, 'bill901', '7001234901')).json).toMatchObject({ ResponseCode: '0001' })
    const [callback] = await eventually(
      () => callbacksOf('bill901'),
      (found) => found.length > 0,
    )
    expect(callback?.body.ResponseCode).toBe('2001')
    expect((await status('bill901')).json.data).toMatchObject({ status: 'Unpaid', isFulfilled: false })
    expect(await simulator.effects('?reference=bill901')).toEqual([])
  })

  test.each([
    ['the meter', 'meter-script', '233241234000', 'G1234904'],
    ['the phone', 'phone-script', '233241234904', 'G1234000'],
  ])('is scripted by %s', async (_what, reference, phone, bundle) => {
    await expect(pay(ids.ecg, reference, phone, { Extradata: { bundle } })).rejects.toThrow('fetch failed')
    expect((await status(reference)).status).toBe(404)
  })

  test('of Ghana Water needs a session of that meter, once', async () => {
    const rows = (await query(ids.water, 'destination=7001&mobile=233241234567')).json.Data as {
      Display: string
      Value: string
    }[]
    const SessionId = rows.find(({ Display }) => Display === 'sessionId')?.Value
    const extra = (bundle: string) => ({ Extradata: { bundle, Email: 'a@makola.test', SessionId } })
    const codes = []
    for (const [reference, meter] of [
      ['water-a', '7002'],
      ['water-b', '7001'],
      ['water-c', '7001'],
    ] as const) {
      codes.push((await pay(ids.water, reference, '233241234567', extra(meter))).json.ResponseCode)
    }
    expect(codes).toEqual(['4010', '0001', '4010'])
  })
})

test.each([
  ['above GHS 100', { Amount: 100.01 }],
  ['of three decimals', { Amount: 1.001 }],
  ['with text that is not ASCII', { Extradata: { note: 'é' } }],
  ['without an address to call back', { CallbackUrl: 'nowhere' }],
  ['with a reference of 33 characters', { ClientReference: 'x'.repeat(33) }],
])('airtime %s is refused', async (_what, changes) => {
  expect((await airtime('shape', '000', changes)).json.ResponseCode).toBe('4010')
  expect((await status('shape')).status).toBe(404)
})

test('a bundle is sold at the price of its row only', async () => {
  const rows = (await query(ids.mtnData, 'destination=233241234567')).json.Data as { Value: string; Amount: number }[]
  const [row] = rows
  const buy = (reference: string, Amount: number) =>
    pay(ids.mtnData, reference, '233241234567', { Amount, Extradata: { bundle: row?.Value } })
  expect((await buy('bundle-wrong', (row?.Amount ?? 0) + 1)).json.ResponseCode).toBe('4010')
  expect((await buy('bundle-right', row?.Amount ?? 0)).json.ResponseCode).toBe('0001')
})

test('the same reference is executed once, however often it is sent', async () => {
  const answers = await Promise.all(Array.from({ length: 32 }, () => airtime('race')))
  expect(answers.filter(({ json }) => json.ResponseCode === '0001')).toHaveLength(1)
  // What is bought later is delivered later: by then a second delivery of the first would be there.
  await airtime('after-the-race')
  await eventually(
    () => simulator.effects('?reference=after-the-race'),
    (effects) => effects.length > 0,
  )
  expect(await simulator.effects('?reference=race')).toHaveLength(1)
})

test('what is refused for an empty deposit can be delivered after all', async () => {
  expect((await airtime('held', '906')).json.ResponseCode).toBe('4075')
  expect((await status('held')).status).toBe(404)
  expect((await simulator.request('POST', '/control/hubtel/deliver', { reference: 'held' })).status).toBe(200)
  expect((await status('held')).json.data).toMatchObject({ status: 'Paid', isFulfilled: true })
  expect((await simulator.request('POST', '/control/hubtel/deliver', { reference: 'held' })).status).toBe(404)
})

test('a status is unpaid for a while when asked for, and paid later', async () => {
  await behave({ lookUpBlindMilliseconds: anHour })
  await airtime('blind')
  expect((await status('blind')).json.data).toMatchObject({ status: 'Unpaid', isFulfilled: false })
  await behave({ lookUpBlindMilliseconds: 50 })
  await eventually(
    async () => (await status('blind')).json.data as Json,
    (data) => data.isFulfilled === true,
  )
})

test('another account’s id, and wrong credentials, open nothing', async () => {
  expect((await ask(`/hubtel/transactions/simulated-prepaid/status?clientReference=x`)).status).toBe(403)
  expect((await ask('/hubtel/api/inter-transfers/prepaid/other')).status).toBe(403)
  expect((await simulator.request('GET', '/hubtel/api/inter-transfers/prepaid/simulated-prepaid')).json.ResponseCode).toBe('4101')
})

test('the statement lists what was debited, with the differences that were planted', async () => {
  for (const reference of ['st-a', 'st-b', 'st-c']) await airtime(reference)
  await airtime('st-failed', '907')
  await eventually(
    () => simulator.effects('?reference=st-c'),
    (effects) => effects.length === 1,
  )
  const lines = async () => (await simulator.request('GET', '/hubtel/statement')).text.split('\r\n')
  const about = async (reference: string) => (await lines()).filter((line) => line.startsWith(`${reference},`))
  expect((await lines())[0]).toBe('client_reference,transaction_id,date,product,service,destination,amount,commission')
  expect((await about('st-a'))[0]).toMatch(/^st-a,[0-9a-f]{32},[^,]+Z,airtime,MTN,0241234000,5\.00,0\.1500$/)
  expect(await about('st-failed')).toEqual([])
  const planted = { omit: ['st-a'], change: { 'st-b': 4 }, invent: [{ reference: 'st-x', amount: 9, commission: 0.1 }] }
  expect((await simulator.request('POST', '/control/hubtel/statement', planted)).status).toBe(200)
  expect(await about('st-a')).toEqual([])
  expect((await about('st-b'))[0]).toContain(',4.00,')
  expect((await about('st-x'))[0]).toContain(',9.00,0.1000')
  await simulator.request('DELETE', '/control/behaviour')
  expect(await about('st-a')).toHaveLength(1)
  expect(await about('st-x')).toEqual([])
})

test('a killed simulator delivers what it had taken when it starts again, once', async () => {
  await behave({ deliveryMilliseconds: 600 })
  await airtime('survivor')
  await airtime('survivor-held', '906')
  await simulator.kill('SIGKILL')
  await simulator.start()
  await eventually(
    () => simulator.effects('?reference=survivor'),
    (effects) => effects.length === 1,
  )
  expect((await status('survivor')).json.data).toMatchObject({ status: 'Paid', isFulfilled: true })
  expect((await status('survivor-held')).status).toBe(404)
  expect((await airtime('survivor')).json.ResponseCode).toBe('4010')
})
