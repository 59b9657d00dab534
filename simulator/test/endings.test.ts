import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Answered, Json, TestSimulator } from './start-test-simulator.ts'
import { anHour, eventually, startTestSimulator } from './start-test-simulator.ts'

let simulator: TestSimulator & AsyncDisposable

beforeAll(async () => {
  simulator = await startTestSimulator()
  await simulator.behave({ lostAnswerMilliseconds: 200 })
})
afterEach(async () => {
  await simulator.request('DELETE', '/control/behaviour')
  await simulator.behave({ lostAnswerMilliseconds: 200 })
})
afterAll(async () => simulator[Symbol.asyncDispose]())

const data = (answered: Answered) => answered.json.data as Json
const orderStatus = async (ref: string) => data(await simulator.status(ref))?.orderStatus
const until = (ref: string, status: string) =>
  eventually(
    () => orderStatus(ref),
    (found) => found === status,
  )
const deliveries = async (ref: string) => (await simulator.effects(`?reference=${ref}`)).length

test('any other number is accepted, passes through pending, and is delivered once', async () => {
  await simulator.behave({ deliveryMilliseconds: anHour })
  const answered = await simulator.buy('other-0', '0241234567')
  expect(answered.status).toBe(200)
  expect(data(answered)).toMatchObject({ ref: 'other-0', orderStatus: 'pending', isReplay: false, price: 2.85, capacity: '1' })
  expect(answered.json.rateLimit).toMatchObject({ limit: 1_000_000 })
  expect(await orderStatus('other-0')).toBe('pending')
  await simulator.behave({ deliveryMilliseconds: 30 })
  expect((await simulator.buy('other-1', '0241234567')).status).toBe(200)
  await until('other-1', 'completed')
  expect(await orderStatus('other-0')).toBe('pending')
  expect(await deliveries('other-0')).toBe(0)
  expect(await simulator.effects('?reference=other-1')).toMatchObject([
    { supplier: 'datamart', reference: 'other-1', recipient: '0241234567', network: 'YELLO', capacity: 1, cost: 2.85 },
  ])
})

test('901 is a definitive rejection of the recipient that leaves no order', async () => {
  const answered = await simulator.buy('r-901', '0241234901')
  expect([answered.status, answered.json.code]).toEqual([400, 'INVALID_RECIPIENT'])
  const looked = await simulator.status('r-901')
  expect([looked.status, looked.json.code]).toEqual([404, 'ORDER_NOT_FOUND'])
  expect(await deliveries('r-901')).toBe(0)
})

test('902 stays pending for its long time and is then delivered', async () => {
  await simulator.behave({ lateDeliveryMilliseconds: anHour })
  const answered = await simulator.buy('r-902', '0241234902')
  expect(data(answered).orderStatus).toBe('pending')
  await simulator.buy('witness-902', '0241234567')
  await until('witness-902', 'completed')
  expect(await orderStatus('r-902')).toBe('pending')
  expect(await deliveries('r-902')).toBe(0)
  await simulator.request('POST', '/control/endings')
  await until('r-902', 'completed')
  expect(await deliveries('r-902')).toBe(1)
  await simulator.behave({ lateDeliveryMilliseconds: 300 })
  await simulator.buy('over-902', '0241234902')
  await until('over-902', 'completed')
  expect(await deliveries('over-902')).toBe(1)
})

test('903 is executed, its answer is lost, and the look-up says delivered', async () => {
  await expect(simulator.buy('r-903', '0241234903')).rejects.toThrow('fetch failed')
  expect(await orderStatus('r-903')).toBe('completed')
  expect(await deliveries('r-903')).toBe(1)
})

test('903 sent again returns the original, delivered, and delivers nothing more', async () => {
  await expect(simulator.buy('again-903', '0241235903')).rejects.toThrow('fetch failed')
  expect(data(await simulator.buy('again-903', '0241235903'))).toMatchObject({ orderStatus: 'completed', isReplay: true })
  expect(await deliveries('again-903')).toBe(1)
})

test('904 is never received however often it is sent, and the look-up never finds it', async () => {
  for (const _ of [1, 2]) await expect(simulator.buy('r-904', '0241234904')).rejects.toThrow('fetch failed')
  expect((await simulator.status('r-904')).status).toBe(404)
  expect(await deliveries('r-904')).toBe(0)
  const { requests } = (await simulator.request('GET', '/requests?reference=r-904')).json as { requests: Json[] }
  expect(requests.map(({ method, status }) => [method, status])).toEqual([
    ['POST', null],
    ['POST', null],
    ['GET', 404],
  ])
})

test('905 answers 500 with an HTML page, and the look-up says failed', async () => {
  const answered = await simulator.buy('r-905', '0241234905')
  expect(answered.status).toBe(500)
  expect(answered.headers.get('content-type')).toContain('text/html')
  expect(await orderStatus('r-905')).toBe('failed')
  expect(await deliveries('r-905')).toBe(0)
})

test('906 says the float is empty while the balance shows money, also under a new reference', async () => {
  for (const ref of ['r-906', 'new-906']) {
    const answered = await simulator.buy(ref, '0241234906')
    expect([answered.status, answered.json.code]).toEqual([402, 'INSUFFICIENT_BALANCE'])
  }
  const balance = await simulator.request('GET', '/datamart/api/developer/balance')
  expect(data(balance)).toMatchObject({ currency: 'GHS' })
  expect(data(balance).balance).toBeGreaterThan(1_000)
})

test('906 goes through once its script is changed, but only under a new reference', async () => {
  await simulator.buy('stuck-906', '0241239906')
  await simulator.behave({ scripts: { '9906': 'delivered' } })
  expect((await simulator.buy('stuck-906', '0241239906')).status).toBe(402)
  expect((await simulator.buy('fresh-906', '0241239906')).status).toBe(200)
  await until('fresh-906', 'completed')
  expect(await simulator.effects('?recipient=0241239906')).toMatchObject([{ reference: 'fresh-906' }])
})

test('907 is accepted and fails later, and its price is given back', async () => {
  const before = await readBalance()
  expect(data(await simulator.buy('r-907', '0241234907')).orderStatus).not.toBe('failed')
  await until('r-907', 'failed')
  expect(data(await simulator.status('r-907')).reason).toBeTypeOf('string')
  expect(await deliveries('r-907')).toBe(0)
  expect(await readBalance()).toBe(before)
})

test('908 says duplicate every time, and the earlier submit was delivered once', async () => {
  for (const _ of [1, 2]) {
    const answered = await simulator.buy('r-908', '0241234908')
    expect([answered.status, answered.json.code]).toEqual([409, 'DUPLICATE_ORDER'])
  }
  expect(await orderStatus('r-908')).toBe('completed')
  expect(await deliveries('r-908')).toBe(1)
})

test('909 answers 200 with an unreadable body, is pending, and is then delivered', async () => {
  await simulator.behave({ unreadableMilliseconds: anHour })
  const answered = await simulator.buy('r-909', '0241234909')
  expect(answered.status).toBe(200)
  expect(() => JSON.parse(answered.text) as unknown).toThrow(SyntaxError)
  expect(await orderStatus('r-909')).toBe('pending')
  expect(await deliveries('r-909')).toBe(0)
  await simulator.behave({ unreadableMilliseconds: 300 })
  await simulator.buy('over-909', '0241234909')
  await until('over-909', 'completed')
  expect(await deliveries('over-909')).toBe(1)
})

async function readBalance(): Promise<unknown> {
  // The purchases of other tests must have ended, because they change the balance too.
  return data(await simulator.request('GET', '/datamart/api/developer/balance')).balance
}
