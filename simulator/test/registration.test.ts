import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { anHour, eventually, startTestSimulator, type TestSimulator } from './start-test-simulator.ts'

let simulator: TestSimulator & AsyncDisposable
beforeAll(async () => {
  simulator = await startTestSimulator()
})
afterAll(() => simulator[Symbol.asyncDispose]())

const key = { 'x-api-key': 'simulated-registration-key' }
const ask = (server: number, number: string) =>
  simulator.request('GET', `/registration/${server}/registrations/${number}`, undefined, key)
const submit = (server: number, number: string) =>
  simulator.request('POST', `/registration/${server}/registrations`, { number }, key)
const stateOf = async (server: number, number: string) => (await ask(server, number)).json.state

describe('the registration servers', () => {
  test('hold every number that no ending names', async () => {
    expect((await ask(1, '0241234567')).json).toEqual({ number: '0241234567', state: 'registered' })
    expect(await stateOf(2, '0241234567')).toBe('registered')
  })

  test('register 911 some time after it was submitted, each server for itself, also over a restart', async () => {
    const [number, later] = ['0241230911', '0241231911']
    expect(await stateOf(1, number)).toBe('not_registered')
    await submit(1, number)
    await simulator.request('POST', '/control/registration', { completionMilliseconds: anHour })
    const submitted = await submit(1, later)
    expect([submitted.status, submitted.json]).toEqual([202, { number: later, state: 'pending' }])
    await simulator.kill('SIGKILL')
    await simulator.start()
    await eventually(
      () => stateOf(1, number),
      (state) => state === 'registered',
    )
    expect(await stateOf(1, later)).toBe('pending')
    expect(await stateOf(2, number)).toBe('not_registered')
    expect((await submit(1, number)).status).toBe(200)
  })

  test('never change 912 and 913, and never complete 917', async () => {
    for (const server of [1, 2]) for (const ending of ['912', '913', '917']) await submit(server, `0241230${ending}`)
    const states = async (number: string) => [await stateOf(1, number), await stateOf(2, number)]
    expect(await states('0241230912')).toEqual(['registered', 'not_registered'])
    expect(await states('0241230913')).toEqual(['not_registered', 'registered'])
    expect(await states('0241230917')).toEqual(['pending', 'pending'])
  })

  test('cut the connection of the numbers that cannot be reached', async () => {
    for (const [ending, server] of [
      ['914', 1],
      ['915', 2],
      ['916', 1],
      ['916', 2],
    ] as const) {
      await expect(ask(server, `0241230${ending}`)).rejects.toThrow('fetch failed')
      await expect(submit(server, `0241230${ending}`)).rejects.toThrow('fetch failed')
    }
    expect(await stateOf(2, '0241230914')).toBe('registered')
    expect(await stateOf(1, '0241230915')).toBe('registered')
  })

  test('want their key and ten digits', async () => {
    expect((await simulator.request('GET', '/registration/1/registrations/0241234567')).status).toBe(401)
    expect((await ask(1, '233241234567')).status).toBe(400)
    expect((await submit(1, '024')).status).toBe(400)
  })

  test('are steered one by one, and show what they were asked', async () => {
    const number = '0249999999'
    const steer = (body: unknown) => simulator.request('POST', '/control/registration', body)
    await steer({ outages: { 1: 'throttle' }, scripts: { '9999': 'server_1_only' } })
    expect((await ask(1, number)).status).toBe(429)
    expect(await stateOf(2, number)).toBe('not_registered')
    await steer({ outages: { 1: 'error' } })
    expect((await ask(1, number)).status).toBe(500)
    expect((await steer({ outages: { 3: 'error' } })).status).toBe(400)
    await simulator.request('DELETE', '/control/registration')
    expect(await stateOf(1, number)).toBe('registered')
    const { json } = await simulator.request('GET', `/requests?path=/registration/1/&reference=${number}`)
    expect((json.requests as { method: string; status: number }[]).map(({ status }) => status)).toEqual([429, 500, 200])
  })
})

test('DataMart delivers on MTN only to numbers that are registered somewhere', async () => {
  const refused = await simulator.buy('unregistered-1', '0241239917')
  expect([refused.status, refused.json.code]).toEqual([400, 'NUMBER_NOT_REGISTERED'])
  expect((await simulator.buy('unregistered-1', '0241239917', { network: 'TELECEL' })).status).toBe(200)
  expect((await simulator.buy('registered-on-one', '0241239912')).status).toBe(200)
  const check = (phoneNumber: string) =>
    simulator.request('POST', '/datamart/api/developer/verify-number', { phoneNumber }).then(({ json }) => json.data)
  expect(await check('0241239917')).toMatchObject({ recommendation: 'activate_first' })
  expect(await check('0241239912')).toMatchObject({ recommendation: 'sell_any' })
})
