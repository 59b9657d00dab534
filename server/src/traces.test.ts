import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { Agent, request } from 'undici'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { makeKeyFor } from '../test/make-account.ts'
import { setUpWorkers } from '../test/set-up-workers.ts'
import { testPackages } from '../test/test-catalogue.ts'

/** A span as OTLP writes it in JSON. */
type Span = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: { key: string; value: Record<string, unknown> }[]
  links?: { traceId: string; spanId: string }[]
  status?: { code?: number }
}
type Export = {
  resourceSpans: { resource: { attributes: Span['attributes'] }; scopeSpans: { spans: Span[] }[] }[]
}

const town = setUpWorkers(testPackages)
const commandLine = fileURLToPath(new URL('../bin/makola.js', import.meta.url))
let collector: Server
let spans: Found[]
let texts: string[]

beforeEach(async () => {
  spans = []
  texts = []
  collector = createServer((asked, answer) => {
    take(asked).then(
      () => answer.setHeader('content-type', 'application/json').end('{}'),
      (error: unknown) => answer.destroy(error as Error),
    )
  })
  await once(collector.listen(0, '127.0.0.1'), 'listening')
})
afterEach(() => collector.close())

async function take(asked: IncomingMessage): Promise<void> {
  const body = (await asked.toArray()).join('')
  texts.push(`${asked.method} ${asked.url}`, body)
  for (const { resource, scopeSpans } of (JSON.parse(body) as Export).resourceSpans) {
    const service = String(resource.attributes.find(({ key }) => key === 'service.name')?.value['stringValue'])
    spans.push(...scopeSpans.flatMap((scope) => scope.spans).map((span) => ({ ...span, service })))
  }
}

const endpoint = () => `http://127.0.0.1:${(collector.address() as AddressInfo).port}`

async function startApi(environment: Record<string, string>): Promise<{ api: ChildProcess; port: number }> {
  const env = {
    ...process.env,
    ...environment,
    DATABASE_URL: town.database.applicationUrl,
    DATA_DIR: town.simulator.dataDir,
    SECRETS_KEY: town.secretsKey,
    LOG_LEVEL: 'silent',
    PORT: '0',
  }
  const api = spawn(process.execPath, [commandLine, 'api'], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], env })
  const [{ port }] = (await once(api, 'message')) as [{ port: number }]
  return { api, port }
}

async function buy(port: number, reference: string, headers: Record<string, string> = {}): Promise<string> {
  const ca = await readFile(join(town.simulator.dataDir, 'tls', 'ca.pem'))
  const dispatcher = new Agent({ connect: { ca } })
  const key = await makeKeyFor(town.db, town.accountId)
  const { statusCode, body } = await request(`https://localhost:${port}/api/v2/data/purchase`, {
    method: 'POST',
    dispatcher,
    headers: { authorization: key, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ network: 'Telecel', volume_gb: 1, recipient: '0201234567', reference }),
  })
  const answer = (await body.json()) as { data: { order_id: string } }
  expect([statusCode, answer]).toMatchObject([200, { data: { order_id: expect.any(String) } }])
  await dispatcher.close()
  return answer.data.order_id
}

async function endAll(api: ChildProcess, worker: ChildProcess): Promise<void> {
  const exited = once(api, 'exit')
  api.kill('SIGTERM')
  await exited
  await town.endWorker(worker, 'SIGTERM')
}

type Found = Span & { readonly service: string }

const begin = (span: Span) => BigInt(span.startTimeUnixNano)
const end = (span: Span) => BigInt(span.endTimeUnixNano)
const attributesOf = (span: Span | undefined) =>
  Object.fromEntries((span?.attributes ?? []).map(({ key, value }) => [key, Object.values(value)[0]]))

it('one trace has the purchase, from the request to its commit, and the dispatch, from the claim to the settlement', async () => {
  const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint(), OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test' }
  const { api, port } = await startApi(environment)
  const worker = await town.startWorker(environment)
  const caller = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' }
  const orderId = await buy(port, 'traced-private-words', { traceparent: `00-${caller.traceId}-${caller.spanId}-01` })
  // The repeat is answered, and is no second purchase.
  expect(await buy(port, 'traced-private-words')).toBe(orderId)
  await town.untilEnded([{ orderId, accountId: town.accountId, reference: 'traced-private-words' }])
  await endAll(api, worker)

  expect(texts[0]).toBe('POST /v1/traces')
  const traceId = orderId.replaceAll('-', '')
  expect(new Set(spans.map((span) => span.traceId))).toEqual(new Set([traceId]))
  const all = (name: string) => spans.filter((span) => span.name === name)
  expect([all('purchase').length, all('intake').length]).toEqual([1, 1])
  const [purchase, intake] = [...all('purchase'), ...all('intake')] as [Found, Found]
  expect([purchase.service, purchase.parentSpanId ?? '', purchase.spanId]).toEqual(['makola-api', '', traceId.slice(16)])
  expect(purchase.links).toMatchObject([caller])
  expect(intake.parentSpanId).toBe(purchase.spanId)
  expect(begin(purchase) < begin(intake) && end(intake) <= end(purchase)).toBe(true)
  expect(attributesOf(purchase)).toEqual({
    'makola.order_id': orderId,
    'makola.product': 'data',
    'http.route': '/api/v2/data/purchase',
  })

  // The supplier may take the order first and say later, when it is asked, that it was delivered.
  const dispatches = all('dispatch').toSorted((one, other) => Number(begin(one) - begin(other)))
  expect(attributesOf(dispatches.at(-1))).toMatchObject({ 'makola.step': 'complete', 'makola.is_late': false })
  for (const [nth, dispatch] of dispatches.entries()) {
    expect([dispatch.service, dispatch.parentSpanId]).toEqual(['makola-worker', purchase.spanId])
    const parts = spans.filter(({ parentSpanId }) => parentSpanId === dispatch.spanId)
    const call = parts.find(({ name }) => name === 'supplier call')
    const settlement = parts.find(({ name }) => name === 'settlement')
    if (!call || !settlement) throw new Error('a dispatch lacks a part')
    expect(attributesOf(call)['makola.call'] === 'send').toBe(nth === 0)
    expect(begin(dispatch) <= begin(call) && begin(call) < end(call)).toBe(true)
    expect(end(call) <= begin(settlement) && end(settlement) <= end(dispatch)).toBe(true)
  }
  expect(spans).toHaveLength(2 + 3 * dispatches.length)
  // Neither the recipient nor the reseller's own words leave the house.
  expect(texts.join()).not.toMatch(/0201234567|233201234567|private-words/)
})

it('a collector that is away holds up neither a purchase nor a dispatch', async () => {
  const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' }
  const { api, port } = await startApi(environment)
  const worker = await town.startWorker(environment)
  const orderId = await buy(port, 'collector-away')
  await town.untilEnded([{ orderId, accountId: town.accountId, reference: 'collector-away' }])
  await endAll(api, worker)
  expect([api.exitCode, worker.exitCode]).toEqual([0, 0])
})
