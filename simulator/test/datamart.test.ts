import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Answered, Json, TestSimulator } from './start-test-simulator.ts'
import { anHour, eventually, startTestSimulator } from './start-test-simulator.ts'

let simulator: TestSimulator & AsyncDisposable

beforeAll(async () => {
  simulator = await startTestSimulator()
})
afterEach(async () => {
  await simulator.request('DELETE', '/control/behaviour')
})
afterAll(async () => simulator[Symbol.asyncDispose]())

const data = (answered: Answered) => answered.json.data as Json
const verdict = ({ status, json }: Answered) => [status, json.code]

test('64 racing purchases of one reference are one order and one delivery', async () => {
  const answers = await Promise.all(Array.from({ length: 64 }, () => simulator.buy('race', '0241234567')))
  expect(new Set(answers.map((answered) => data(answered).orderReference)).size).toBe(1)
  expect(answers.filter((answered) => data(answered).isReplay === false)).toHaveLength(1)
  // What is bought later is delivered later: by then a second delivery of the first would be there.
  await simulator.buy('after-the-race', '0241234567')
  await eventually(
    () => simulator.effects('?reference=after-the-race'),
    (effects) => effects.length > 0,
  )
  expect(await simulator.effects('?reference=race')).toHaveLength(1)
})

test('two references for one recipient are two deliveries, and the log shows both', async () => {
  await simulator.buy('twice-a', '0241111222')
  await simulator.buy('twice-b', '0241111222')
  const effects = await eventually(
    () => simulator.effects('?recipient=0241111222'),
    (found) => found.length === 2,
  )
  expect(effects.map(({ reference }) => reference).toSorted()).toEqual(['twice-a', 'twice-b'])
})

test.each([
  ['another number', { phoneNumber: '0241234000' }],
  ['another network', { network: 'TELECEL' }],
  ['another capacity', { capacity: '2' }],
])('the same reference with %s is an error and does nothing', async (_what, changes) => {
  const ref = `conflict-${Object.keys(changes)[0]}`
  await simulator.buy(ref, '0241234567')
  expect(verdict(await simulator.buy(ref, '0241234567', changes))).toEqual([409, 'REFERENCE_CONFLICT'])
  expect(data(await simulator.status(ref))).toMatchObject({ phoneNumber: '0241234567', network: 'YELLO', capacity: '1' })
})

test.each(['YELLO', 'TELECEL', 'AT_PREMIUM', 'AT_BIGTIME'])('the network %s is sold', async (network) => {
  await simulator.buy(`network-${network}`, '0241234567', { network, capacity: 2 })
  const [effect] = await eventually(
    () => simulator.effects(`?reference=network-${network}`),
    (effects) => effects.length === 1,
  )
  expect(effect).toMatchObject({ network, capacity: 2 })
})

test('a look-up finds an order by either reference', async () => {
  const { orderReference } = data(await simulator.buy('either', '0241234567'))
  expect(data(await simulator.status(String(orderReference))).ref).toBe('either')
})

test.each([
  ['INVALID_NETWORK', { network: 'MTN' }],
  ['INVALID_CAPACITY', { capacity: '0' }],
  ['INVALID_CAPACITY', { capacity: 'one' }],
  ['INVALID_RECIPIENT', { phoneNumber: '233241234567' }],
  ['INVALID_REQUEST', { gateway: 'card' }],
  ['INVALID_REQUEST', { ref: 'another reference' }],
  ['INVALID_REQUEST', { ref: 'not-the-idempotency-key' }],
])('refuses with %s a purchase with %j', async (code, changes) => {
  expect(verdict(await simulator.buy('shape', '0241234567', changes))).toEqual([400, code])
  expect((await simulator.status('shape')).status).toBe(404)
})

test('without the right key everything is refused', async () => {
  const answered = await simulator.request('GET', '/datamart/api/developer/balance', undefined, { 'x-api-key': 'wrong' })
  expect(verdict(answered)).toEqual([401, 'INVALID_API_KEY'])
})

test('unreadable JSON is refused in the envelope', async () => {
  const response = await fetch(`${simulator.url()}/datamart/api/developer/purchase`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': 'simulated-datamart-key' },
    body: '{"ref":',
  })
  expect([response.status, await response.json()]).toMatchObject([400, { status: 'error', code: 'INVALID_REQUEST' }])
})

test('numbers are verified twice a minute and then throttled', async () => {
  const verify = () => simulator.request('POST', '/datamart/api/developer/verify-number', { phoneNumber: '0241234567' })
  expect(data(await verify())).toEqual({ phoneNumber: '0241234567', recommendation: 'sell_any' })
  expect((await verify()).status).toBe(200)
  const third = await verify()
  expect(verdict(third)).toEqual([429, 'RATE_LIMITED'])
  expect(Number(third.headers.get('retry-after'))).toBeGreaterThan(0)
})

test('a float that is really too small refuses, and the balance shows it', async () => {
  await simulator.behave({ floatGhs: 1 })
  expect(data(await simulator.request('GET', '/datamart/api/developer/balance')).balance).toBe(1)
  expect(verdict(await simulator.buy('poor', '0241234567'))).toEqual([402, 'INSUFFICIENT_BALANCE'])
})

test.each([
  ['error', 500, undefined],
  ['throttle', 429, 'RATE_LIMITED'],
  ['unauthorised', 401, 'INVALID_API_KEY'],
  ['disabled', 403, 'ACCOUNT_DISABLED'],
  ['garbage', 200, undefined],
])('outage %s executes nothing, and the same reference is taken afterwards', async (outage, status, code) => {
  await simulator.behave({ outage })
  expect(verdict(await simulator.buy(`outage-${outage}`, '0241234567'))).toEqual([status, code])
  await simulator.behave({ outage: 'none' })
  expect((await simulator.status(`outage-${outage}`)).status).toBe(404)
  expect(data(await simulator.buy(`outage-${outage}`, '0241234567')).isReplay).toBe(false)
})

test('outage refuse cuts every connection, and outage hang answers nobody', async () => {
  await simulator.behave({ outage: 'refuse' })
  await expect(simulator.buy('cut', '0241234567')).rejects.toThrow('fetch failed')
  await simulator.behave({ outage: 'hang' })
  const signal = AbortSignal.timeout(300)
  const hanging = fetch(`${simulator.url()}/datamart/api/developer/balance`, { signal })
  await expect(hanging).rejects.toThrow('timeout')
})

test('an outage of purchases leaves the look-ups alone', async () => {
  await simulator.buy('partial', '0241234567')
  await simulator.behave({ outage: 'error', outageOn: 'purchases' })
  expect((await simulator.buy('partial-2', '0241234567')).status).toBe(500)
  expect((await simulator.status('partial')).status).toBe(200)
})

test('an empty float is a matter of purchases only, while the balance shows money', async () => {
  await simulator.behave({ outage: 'float_empty' })
  expect(verdict(await simulator.buy('empty', '0241234567'))).toEqual([402, 'INSUFFICIENT_BALANCE'])
  expect(data(await simulator.request('GET', '/datamart/api/developer/balance')).balance).toBeGreaterThan(1_000)
})

test('a script gives any number any ending, the longest match first', async () => {
  await simulator.behave({ scripts: { '*': 'recipient_rejected', '567': 'delivered' }, deliveryMilliseconds: 0 })
  expect((await simulator.buy('script-a', '0241234567')).status).toBe(200)
  expect(verdict(await simulator.buy('script-b', '0241234568'))).toEqual([400, 'INVALID_RECIPIENT'])
  await simulator.behave({ scripts: { '*': null } })
  expect((await simulator.buy('script-c', '0241234568')).status).toBe(200)
})

test('an order can be invisible to look-ups for a while', async () => {
  await simulator.behave({ lookUpBlindMilliseconds: anHour })
  await simulator.buy('blind', '0241234567')
  expect((await simulator.status('blind')).status).toBe(404)
  await simulator.behave({ lookUpBlindMilliseconds: 50 })
  await eventually(
    () => simulator.status('blind'),
    ({ status }) => status === 200,
  )
})

test('a limit per minute answers 429 with Retry-After beyond it', async () => {
  await simulator.behave({ requestsPerMinute: 1 })
  // The first request is refused already, unless another minute has just begun.
  const answered = await eventually(
    () => simulator.buy('limited', '0241234567'),
    ({ status }) => status !== 200,
  )
  expect(verdict(answered)).toEqual([429, 'RATE_LIMITED'])
  expect(answered.json.rateLimit).toMatchObject({ limit: 1, remaining: 0 })
  expect((await simulator.request('GET', '/control/behaviour')).status).toBe(200)
})

test('the control endpoint refuses what it does not know', async () => {
  expect((await simulator.request('POST', '/control/behaviour', { datamart: { outage: 'bad' } })).status).toBe(400)
  expect((await simulator.request('POST', '/control/behaviour', { datamart: { colour: 'red' } })).status).toBe(400)
  expect((await simulator.request('POST', '/control/behaviour', { nobody: {} })).status).toBe(400)
})

test('effects are read in pages that go on where the last one ended', async () => {
  const all = await simulator.effects()
  const first = (await simulator.request('GET', '/effects?limit=2')).json as { effects: Json[]; next: number }
  const rest = (await simulator.request('GET', `/effects?after=${first.next}`)).json as { effects: Json[]; next: number }
  expect(first.effects).toHaveLength(2)
  expect([...first.effects, ...rest.effects].slice(0, all.length)).toEqual(all)
  const behind = (await simulator.request('GET', `/effects?after=${rest.next}`)).json as { effects: Json[] }
  expect(behind.effects.length).toBeLessThan(all.length)
})

test('the log has one JSON line per request, with the reference', async () => {
  await simulator.buy('logged', '0241234567')
  const find = () =>
    simulator
      .logLines()
      .map((line) => JSON.parse(line) as Json)
      .filter(({ reference }) => reference === 'logged')
  expect(await eventually(find, (found) => found.length > 0)).toMatchObject([
    { method: 'POST', path: '/datamart/api/developer/purchase', status: 200 },
  ])
})
