import { createHmac } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { generate } from 'selfsigned'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Json, TestSimulator } from './start-test-simulator.ts'
import { eventually, startTestSimulator } from './start-test-simulator.ts'

type ReceivedWebhook = {
  readonly path: string
  readonly signature: string | undefined
  readonly event: string | undefined
  readonly raw: string
}

const secret = 'simulated-datamart-secret'
const received: ReceivedWebhook[] = []
/** What the receiver answers next; then 200. */
const answers: number[] = []
let simulator: TestSimulator & AsyncDisposable
let receiver: ReturnType<typeof createServer>
let certificate: string

beforeAll(async () => {
  const pems = await generate([{ name: 'commonName', value: 'localhost' }], {
    keySize: 2048,
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] },
    ],
  })
  certificate = pems.cert
  receiver = createServer({ key: pems.private, cert: pems.cert }, (request, response) => {
    void readAll(request).then((raw) => {
      const { 'x-datamart-signature': signature, 'x-datamart-event': event } = request.headers
      received.push({ path: request.url ?? '', signature: signature?.toString(), event: event?.toString(), raw })
      response.writeHead(answers.shift() ?? 200).end()
    })
  })
  await new Promise<void>((resolve) => receiver.listen(0, 'localhost', resolve))
  const { port } = receiver.address() as AddressInfo
  simulator = await startTestSimulator({ SIMULATOR_CALLBACK_BASE_URL: `https://localhost:${port}/` })
})
beforeEach(() => {
  received.length = 0
  answers.length = 0
})
afterEach(async () => {
  await simulator.request('DELETE', '/control/behaviour')
})
afterAll(async () => {
  await simulator[Symbol.asyncDispose]()
  receiver.closeAllConnections()
  receiver.close()
})

const sign = (raw: string) => createHmac('sha256', secret).update(raw).digest('hex')
const about = (ref: string) => received.filter(({ raw }) => dataOf(raw).ref === ref)
const dataOf = (raw: string) => (JSON.parse(raw) as { data: Json }).data
const arrived = (ref: string, count: number) =>
  eventually(
    () => about(ref),
    (found) => found.length >= count,
  )

test('nothing is sent to a stranger, but once the local authority appears its server is trusted and the webhook arrives', async () => {
  await simulator.buy('trust', '0241234567')
  await eventually(
    () => simulator.effects('?reference=trust'),
    (effects) => effects.length === 1,
  )
  expect(received).toEqual([])
  await mkdir(join(simulator.dataDir, 'tls'))
  await writeFile(join(simulator.dataDir, 'tls', 'ca.pem'), certificate)
  const [webhook] = await arrived('trust', 1)
  expect(webhook).toMatchObject({ path: '/callbacks/datamart', event: 'order.completed', signature: sign(webhook?.raw ?? '') })
  expect(dataOf(webhook?.raw ?? '')).toMatchObject({ ref: 'trust', orderStatus: 'completed', phoneNumber: '0241234567' })
})

test('a later failure is told', async () => {
  await simulator.buy('later-failed', '0241234907')
  const [webhook] = await arrived('later-failed', 1)
  expect(webhook).toMatchObject({ event: 'order.failed', signature: sign(webhook?.raw ?? '') })
})

test('a webhook answered 503 is sent again until it is taken', async () => {
  answers.push(503, 503)
  await simulator.buy('again', '0241234567')
  const tries = await arrived('again', 3)
  expect(new Set(tries.map(({ raw }) => raw)).size).toBe(1)
  expect(tries).toHaveLength(3)
})

test('lost and spoilt answers are followed by no webhook unless asked for', async () => {
  await simulator.behave({ lostAnswerMilliseconds: 0 })
  await simulator.buy('silent', '0241234903').catch(() => undefined)
  await simulator.behave({ webhooks: { alsoForSilentEndings: true } })
  await simulator.buy('told', '0241234903').catch(() => undefined)
  await arrived('told', 1)
  expect(about('silent')).toEqual([])
})

test('webhooks can be repeated, forged and unsigned', async () => {
  await simulator.behave({ webhooks: { copies: 3, signature: 'forged' } })
  await simulator.buy('forged', '0241234567')
  for (const { signature, raw } of await arrived('forged', 3)) {
    expect(signature).toMatch(/^[0-9a-f]{64}$/)
    expect(signature).not.toBe(sign(raw))
  }
  await simulator.behave({ webhooks: { copies: 1, signature: 'missing' } })
  await simulator.buy('unsigned', '0241234567')
  expect(await arrived('unsigned', 1)).toMatchObject([{ signature: undefined }])
})

test('webhooks can be contradicted and late', async () => {
  await simulator.behave({ webhooks: { isContradicted: true, delayMilliseconds: 300 } })
  await simulator.buy('contradicted', '0241234567')
  const [effect] = await eventually(
    () => simulator.effects('?reference=contradicted'),
    (effects) => effects.length === 1,
  )
  const both = await arrived('contradicted', 2)
  // Both moments are whole milliseconds.
  expect(Date.now() - Date.parse(effect?.at ?? '')).toBeGreaterThanOrEqual(299)
  expect(both.map(({ event }) => event)).toEqual(['order.completed', 'order.failed'])
})

test('a test can order a webhook that claims anything about an order', async () => {
  await simulator.behave({ webhooks: { isEnabled: false } })
  await simulator.buy('claimed', '0241234902')
  const order = { supplier: 'datamart', reference: 'claimed', orderStatus: 'refunded' }
  expect((await simulator.request('POST', '/control/webhooks', order)).status).toBe(202)
  const [webhook] = await arrived('claimed', 1)
  expect(webhook).toMatchObject({ event: 'order.refunded', signature: sign(webhook?.raw ?? '') })
  expect((await simulator.request('POST', '/control/webhooks', { ...order, reference: 'nobody' })).status).toBe(404)
})

async function readAll(request: IncomingMessage): Promise<string> {
  let raw = ''
  for await (const chunk of request.setEncoding('utf8')) raw += chunk
  return raw
}
