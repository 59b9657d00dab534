import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Answered, Json, TestSimulator } from './start-test-simulator.ts'
import { anHour, eventually, startTestSimulator } from './start-test-simulator.ts'

const key = { 'x-api-key': 'simulated-datakazina-key' }
let simulator: TestSimulator & AsyncDisposable

beforeAll(async () => {
  simulator = await startTestSimulator()
  await behave({ lostAnswerMilliseconds: 100 })
})
afterEach(async () => {
  await simulator.request('DELETE', '/control/behaviour')
  await behave({ lostAnswerMilliseconds: 100 })
})
afterAll(async () => simulator[Symbol.asyncDispose]())

async function behave(change: Json): Promise<void> {
  const { status, text } = await simulator.request('POST', '/control/behaviour', { datakazina: change })
  if (status !== 200) throw new Error(text)
}

function buy(ref: string, number: string, changes: Json = {}): Promise<Answered> {
  const body = { recipient_msisdn: number, network_id: 3, shared_bundle: 1_000, incoming_api_ref: ref, ...changes }
  return simulator.request('POST', '/datakazina/api/v1/buy-data-package', body, key)
}

const data = (answered: Answered) => answered.json.data as Json
const ask = (code: unknown) =>
  simulator.request('GET', `/datakazina/api/v1/order-status?transaction_code=${String(code)}`, undefined, key)
const until = (code: unknown, status: string) =>
  eventually(
    async () => data(await ask(code))?.status,
    (found) => found === status,
  )
const deliveries = async (ref: string) => (await simulator.effects(`?reference=${ref}`)).length

test('any other number is accepted, passes through its words, and is delivered once, in the log with its supplier', async () => {
  await behave({ deliveryMilliseconds: anHour })
  const answered = await buy('k-0', '0241234567')
  expect([answered.status, data(answered)]).toMatchObject([200, { incoming_api_ref: 'k-0', status: 'pending', amount: '2.9500' }])
  expect(data(await ask(data(answered).transaction_code)).status).toBe('pending')
  await behave({ deliveryMilliseconds: 30 })
  await until(data(await buy('k-1', '0241234567')).transaction_code, 'delivered')
  expect(await deliveries('k-0')).toBe(0)
  expect(await simulator.effects('?reference=k-1')).toMatchObject([
    { supplier: 'datakazina', recipient: '0241234567', network: '3', capacity: 1, cost: 2.95 },
  ])
})

test('a reference that was submitted before is answered 422 with the code of that submit, whatever else is wanted under it', async () => {
  const code = data(await buy('k-twice', '0241234567')).transaction_code
  for (const changes of [{}, { network_id: 2 }]) {
    const again = await buy('k-twice', '0241234567', changes)
    expect([again.status, data(again)]).toEqual([422, { transaction_code: code }])
  }
  await until(code, 'delivered')
  expect(await deliveries('k-twice')).toBe(1)
})

test('the code of a duplicate can be kept back', async () => {
  await behave({ isDuplicateCodeTold: false })
  await buy('k-silent', '0241234567')
  const again = await buy('k-silent', '0241234567')
  expect([again.status, again.json.data]).toEqual([422, undefined])
})

test('64 racing purchases of one reference are one order and one delivery', async () => {
  const answers = await Promise.all(Array.from({ length: 64 }, () => buy('k-race', '0241234567')))
  const codes = new Set(answers.map((answered) => data(answered).transaction_code))
  expect(codes.size).toBe(1)
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  await until([...codes][0], 'delivered')
  expect(await deliveries('k-race')).toBe(1)
})

test('a look-up takes its own code only', async () => {
  await buy('k-own', '0241234567')
  expect((await ask('k-own')).status).toBe(404)
})

test.each([
  ['901', 400, 'INVALID_RECIPIENT'],
  ['906', 402, 'INSUFFICIENT_BALANCE'],
])('%s is refused, leaves no order, and its reference stays free', async (ending, status, code) => {
  const answered = await buy(`k-${ending}`, `0241234${ending}`)
  expect([answered.status, answered.json.code]).toEqual([status, code])
  expect((await buy(`k-${ending}`, '0241234567')).status).toBe(200)
})

test.each([
  ['903', 'delivered', 1],
  ['905', 'failed', 0],
  ['908', 'delivered', 1],
  ['909', 'delivered', 1],
])('%s: whatever became of its first answer, sent again it is a duplicate whose code says %s', async (ending, status, count) => {
  await buy(`k-${ending}`, `0241234${ending}`).catch(() => undefined)
  const again = await buy(`k-${ending}`, `0241234${ending}`)
  expect(again.status).toBe(422)
  await until(data(again).transaction_code, status)
  expect(await deliveries(`k-${ending}`)).toBe(count)
})

test('904 is lost, taken when it is sent again, and fails', async () => {
  await expect(buy('k-904', '0241234904')).rejects.toThrow('fetch failed')
  const again = await buy('k-904', '0241234904')
  expect(again.status).toBe(200)
  await until(data(again).transaction_code, 'failed')
  expect(await deliveries('k-904')).toBe(0)
})

test('902 stays pending for its long time, 907 fails after acceptance', async () => {
  await behave({ lateDeliveryMilliseconds: anHour })
  const slow = data(await buy('k-902', '0241234902')).transaction_code
  const failing = data(await buy('k-907', '0241234907')).transaction_code
  await until(failing, 'failed')
  expect(data(await ask(slow)).status).toBe('pending')
  expect(await deliveries('k-907')).toBe(0)
})

test.each([
  ['a network it has no number for', { network_id: 5 }, 'INVALID_NETWORK'],
  ['a size that is no number', { shared_bundle: '1GB' }, 'INVALID_BUNDLE'],
  ['a number of another form', { recipient_msisdn: '233241234567' }, 'INVALID_RECIPIENT'],
  ['a reference with blanks', { incoming_api_ref: 'a b' }, 'INVALID_REQUEST'],
])('refuses %s', async (_name, changes, code) => {
  const answered = await buy('k-shape', '0241234567', changes)
  expect([answered.status, answered.json.code]).toEqual([400, code])
})

test('balance and price list are there, and nothing is without the key', async () => {
  const balance = await simulator.request('GET', '/datakazina/api/v1/check-console-balance', undefined, key)
  expect(Number(data(balance).console_balance)).toBeGreaterThan(0)
  const list = await simulator.request('GET', '/datakazina/api/v1/fetch-data-packages', undefined, key)
  expect(list.json.data).toContainEqual({ network_id: 4, shared_bundle: 1_000, price: '2.6500' })
  expect((await simulator.request('GET', '/datakazina/api/v1/fetch-data-packages')).status).toBe(401)
})

test('an outage of one supplier leaves the other at work', async () => {
  await behave({ outage: 'error' })
  expect((await buy('k-out', '0241234567')).status).toBe(500)
  expect((await simulator.buy('m-in', '0241234567')).status).toBe(200)
})

test('after kill -9 its orders are known, what was open is delivered, and both suppliers keep their books', async () => {
  await using own = await startTestSimulator()
  const body = (ref: string) => ({ recipient_msisdn: '0241234567', network_id: 4, shared_bundle: 2_000, incoming_api_ref: ref })
  const post = (ref: string) => own.request('POST', '/datakazina/api/v1/buy-data-package', body(ref), key)
  const code = data(await post('kept')).transaction_code
  await own.buy('neighbour', '0241234567')
  await own.kill('SIGKILL')
  await own.start()
  const again = await post('kept')
  expect([again.status, data(again)]).toEqual([422, { transaction_code: code }])
  await eventually(
    () => own.effects(),
    (effects) => effects.length === 2,
  )
  const bySupplier = (await own.effects()).map(({ supplier, reference }) => `${supplier} ${reference}`)
  expect(new Set(bySupplier)).toEqual(new Set(['datakazina kept', 'datamart neighbour']))
})
