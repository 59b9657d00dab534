import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, appendFile, readFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { request as openRequest } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type { Json } from './start-test-simulator.ts'
import { eventually, startTestSimulator } from './start-test-simulator.ts'

const program = fileURLToPath(new URL('../src/simulator.ts', import.meta.url))

test('after kill -9 under load every answered purchase is known, and each is delivered exactly once', async () => {
  await using simulator = await startTestSimulator({ SIMULATOR_DELIVERY_MS: '2000', SIMULATOR_TIME_SCALE: '0.2' })
  const answered: string[] = []
  const killed = new AbortController()
  const buyers = Array.from({ length: 16 }, async (_, buyer) => {
    for (let no = 0; !killed.signal.aborted; no += 1) {
      const ref = `kill-${buyer}-${no}`
      const answer = await simulator.buy(ref, '0241234567').catch(() => undefined)
      if (answer?.status === 200) answered.push(ref)
    }
  })
  // The process is killed when some orders are delivered and others are not.
  await eventually(
    () => simulator.effects(),
    (effects) => effects.length > 50,
  )
  killed.abort()
  await simulator.kill('SIGKILL')
  await Promise.all(buyers)
  await simulator.start()

  const effects = await eventually(
    () => simulator.effects(),
    (found) => new Set(found.map(({ reference }) => reference)).size >= answered.length,
  )
  const references = effects.map(({ reference }) => reference)
  expect(new Set(references).size).toBe(references.length)
  expect(answered.filter((ref) => !references.includes(ref))).toEqual([])
  for (const ref of answered.slice(-20)) {
    expect((await simulator.status(ref)).json.data).toMatchObject({ ref, orderStatus: 'completed' })
  }
})

test('after a restart refusals, failures, supplier references and the balance are as before', async () => {
  await using simulator = await startTestSimulator()
  await simulator.buy('refused', '0241234906')
  await simulator.buy('failed', '0241234905')
  const { orderReference } = (await simulator.buy('kept', '0241234567')).json.data as Json
  await eventually(
    () => simulator.effects(),
    (effects) => effects.length === 1,
  )
  await simulator.kill('SIGKILL')
  await simulator.start()
  await simulator.behave({ scripts: { '906': 'delivered' } })
  expect((await simulator.buy('refused', '0241234906')).status).toBe(402)
  expect((await simulator.status('failed')).json.data).toMatchObject({ orderStatus: 'failed' })
  expect((await simulator.buy('kept', '0241234567')).json.data).toMatchObject({
    orderReference,
    orderStatus: 'completed',
    isReplay: true,
  })
  const next = (await simulator.buy('next', '0241234567')).json.data as Json
  expect(next.orderReference).not.toBe(orderReference)
  const balance = (await simulator.request('GET', '/datamart/api/developer/balance')).json.data as Json
  expect(balance.balance).toBe(10_000_000 - 2 * 2.85)
})

test('a line that was half written when the process was killed is cut off', async () => {
  await using simulator = await startTestSimulator()
  await simulator.behave({ lostAnswerMilliseconds: 0 })
  await simulator.buy('whole', '0241234903').catch(() => undefined)
  await simulator.kill('SIGKILL')
  for (const name of ['effects.jsonl', 'datamart-orders.jsonl']) {
    await appendFile(join(simulator.dataDir, 'simulator', name), '{"reference":"ha')
  }
  await simulator.start()
  await simulator.behave({ lostAnswerMilliseconds: 0 })
  await simulator.buy('after', '0241234903').catch(() => undefined)
  expect((await simulator.effects()).map(({ reference }) => reference)).toEqual(['whole', 'after'])
  const text = await readFile(join(simulator.dataDir, 'simulator', 'effects.jsonl'), 'utf8')
  expect(text.trimEnd().split('\n')).toHaveLength(2)
})

test('SIGTERM answers what is under way, takes the address away and ends with 0', async () => {
  await using simulator = await startTestSimulator()
  // The request is under way until the test sends the rest of its body.
  const underWay = openRequest(`${simulator.url()}/datamart/api/developer/purchase`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-api-key': 'simulated-datamart-key',
      'x-idempotency-key': 'drained',
    },
  })
  const answering = once(underWay, 'response') as Promise<[IncomingMessage]>
  underWay.write('{"phoneNumber":"0241234567","network":"YELLO",')
  await eventually(
    () => simulator.request('GET', '/requests?path=/datamart/'),
    ({ json }) => (json.requests as Json[]).length === 1,
  )
  const exited = once(simulator.child(), 'exit')
  simulator.child().kill('SIGTERM')
  await eventually(
    () =>
      simulator.request('GET', '/health').then(
        () => 'taken',
        () => 'refused',
      ),
    (connection) => connection === 'refused',
  )
  underWay.end('"capacity":"1","gateway":"wallet","ref":"drained"}')
  const [answered] = await answering
  answered.resume()
  // Without this the client would keep the connection, and the stop would wait for it.
  expect([answered.statusCode, answered.headers.connection]).toEqual([200, 'close'])
  expect(await exited).toEqual([0, null])
  await expect(access(join(simulator.dataDir, 'simulator.json'))).rejects.toThrow('ENOENT')
})

test('SIGTERM does not wait for the sockets of lost answers', async () => {
  await using simulator = await startTestSimulator()
  await simulator.behave({ lostAnswerMilliseconds: 60_000 })
  const lost = simulator.buy('lost', '0241234904')
  await eventually(
    () => simulator.request('GET', '/requests?reference=lost'),
    ({ json }) => (json.requests as Json[]).length === 1,
  )
  const exited = once(simulator.child(), 'exit')
  simulator.child().kill('SIGTERM')
  await expect(lost).rejects.toThrow('fetch failed')
  expect(await exited).toEqual([0, null])
})

test('it ends by itself when its parent is gone, and leaves Ctrl-C to the parent', async () => {
  await using simulator = await startTestSimulator()
  simulator.child().kill('SIGINT')
  expect((await simulator.request('GET', '/health')).status).toBe(200)
  const exited = once(simulator.child(), 'exit')
  simulator.child().disconnect()
  expect(await exited).toEqual([0, null])
})

test('a second one refuses to work in the same folder', async () => {
  await using simulator = await startTestSimulator()
  // It runs from its sources, and not as built, as all others do here.
  const env = { ...process.env, DATA_DIR: simulator.dataDir }
  const second = spawn(process.execPath, [program], { env, stdio: 'ignore' })
  expect(await once(second, 'exit')).toEqual([1, null])
  expect((await simulator.request('GET', '/health')).status).toBe(200)
})
