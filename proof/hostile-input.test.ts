import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect as connectSecurely, type TLSSocket } from 'node:tls'
import { Agent, request } from 'undici'
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest'
import { readEvidence } from '../server/src/orders/packed-evidence.ts'
import { classifyFailure } from './src/breaches/classify.ts'
import { findJournalBreaches } from './src/breaches/find-journal-breaches.ts'
import type { Client, Outcome, Question } from './src/client.ts'
import type { ApiProcess } from './src/describe-processes.ts'
import { observeUndisturbed } from './src/faults/undisturbed.ts'
import { type Installation, startInstallation } from './src/installation.ts'
import { type Journal, openJournal } from './src/journal.ts'
import { makeDataBody, singleCall } from './src/make-calls.ts'
import { openShop, type Shop } from './src/open-shop.ts'
import { placeOnce } from './src/place-surely.ts'
import { readMemoryMegabytes } from './src/read-memory.ts'

const memoryMegabytesMax = 400

let installation: Installation
let client: Client
let hostile: Shop
let neighbour: Shop
let api: ApiProcess
let journal: Journal
let neighbourOutcomes: Promise<Outcome[]>
const over = new AbortController()

/** A standstill of the machine excuses a 503, and never a 500. */
function mustNotBe500(outcome: Outcome): Outcome {
  if (outcome.kind === 'answer' && outcome.status === 500) throw new Error(`500: ${outcome.text}`)
  return outcome
}

/**
 * Sends a request again when the machine stood still or the connection broke: the server ends a connection whose handshake or
 * headers take ten seconds. Undefined: no round had an answer.
 */
function askUndisturbed(question: Question): Promise<Outcome | undefined> {
  return observeUndisturbed(async () => {
    const outcome = mustNotBe500(await client.ask(question))
    return outcome.kind === 'failure' ? undefined : outcome
  })
}

/** A well-behaved client that buys all the time beside everything below. */
async function buyUntilOver(): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (let no = 0; !over.signal.aborted; no += 1) {
    const call = singleCall(neighbour, makeDataBody(`good-${no}`))
    // If the machine stood still, the answer may be 503, and the client asks again.
    outcomes.push(
      await observeUndisturbed(() => placeOnce({ client, journal, apis: installation.apis }, api, call).then(mustNotBe500)),
    )
    await sleep(25)
  }
  return outcomes
}

beforeAll(async () => {
  installation = await startInstallation({ apis: 1, workers: 1 })
  api = installation.apis[0] as ApiProcess
  client = await installation.openClient({ connections: 64 })
  ;[hostile, neighbour] = await Promise.all([
    openShop(installation, { name: 'hostile', fundsGhs: '1000.00' }),
    openShop(installation, { name: 'neighbour', fundsGhs: '100000.00' }),
  ])
  journal = openJournal(join(installation.dataDir, 'neighbour.jsonl'))
  neighbourOutcomes = buyUntilOver()
})
afterAll(async () => {
  over.abort()
  await installation?.destroy()
})

const valid = { network: 'MTN', volume_gb: 1, recipient: '0241234000', reference: 'hostile' }
const withField = (field: string, json: string) =>
  JSON.stringify({ ...valid, [field]: null }).replace(`"${field}":null`, `"${field}":${json}`)

/** JSON texts in the place of a field's value. */
const badValues = [
  'null',
  'true',
  '[]',
  '{}',
  '[[[[]]]]',
  '""',
  '" "',
  '-1',
  '-0',
  '0',
  '1e308',
  '1e999',
  '0.1',
  '9007199254740993',
  '"\\u0000"',
  '"\\ud800"',
  '"\\udc00x"',
  '{"$ne":null}',
  '["a","b"]',
  '"5"',
  '"1 or 1=1"',
  `"'; drop table orders; --"`,
  '"=cmd|\' /C calc\'!A0"',
  '"../../etc/passwd"',
  '"${jndi:ldap://x}"',
  '"%00%n%s"',
  '"\\u202eevil"',
  '"😀"',
  `"${'9'.repeat(200)}"`,
  `"${'a'.repeat(100_000)}"`,
]

const fields = ['network', 'volume_gb', 'recipient', 'reference'] as const

/** Whole bodies that are no purchase. */
const badBodies = [
  '',
  ' ',
  'null',
  '[]',
  '"text"',
  '1',
  '{',
  '{}',
  '{"a":',
  'undefined',
  '\u0000',
  '<xml/>',
  'network=MTN&volume_gb=1',
  '['.repeat(100_000),
  `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`,
  `{"__proto__":{"isAdmin":true},${JSON.stringify(valid).slice(1)}`,
  `{"constructor":{"prototype":{"isAdmin":true}},${JSON.stringify(valid).slice(1)}`,
  `{"network":"MTN","network":"Nobody",${JSON.stringify(valid).slice(1, -1).replace('"network":"MTN",', '')}}`,
  `{"padding":"${'x'.repeat(1_100_000)}"}`,
]

type Case = { readonly name: string; readonly path: string; readonly rawBody?: string; readonly headers?: Record<string, string> }

function purchaseCases(): Case[] {
  const bodies = [...badBodies, ...fields.flatMap((field) => badValues.map((value) => withField(field, value)))]
  return bodies.map((rawBody) => ({ name: `purchase ${rawBody.slice(0, 80)}`, path: '/api/v2/data/purchase', rawBody }))
}

function bulkCases(): Case[] {
  const entry = (no: number) => JSON.stringify({ ...valid, reference: `bulk-${no}` })
  const lists = [
    'null',
    '{}',
    '""',
    '[]',
    '[null]',
    '[[]]',
    '[1]',
    `[${entry(1)},${entry(1)}]`,
    `[${entry(1)},null]`,
    `[${Array.from({ length: 101 }, (_, no) => entry(no)).join(',')}]`,
    `[${Array.from({ length: 10_001 }, (_, no) => `{"reference":"${no}"}`).join(',')}]`,
    `{"length":1,"0":${entry(1)}}`,
  ]
  const bodies = [
    ...badBodies,
    ...lists.map((list) => `{"orders":${list}}`),
    ...fields.flatMap((field) => badValues.map((value) => `{"orders":[${entry(2)},${withField(field, value)}]}`)),
  ]
  return bodies.map((rawBody) => ({ name: `bulk ${rawBody.slice(0, 80)}`, path: '/api/v2/data/bulk', rawBody }))
}

function readingCases(): Case[] {
  const words = [
    "'",
    "' or '1'='1",
    '%00',
    '%ff',
    '%',
    '%2e%2e%2f',
    '..%2f..%2fetc%2fpasswd',
    '%ED%A0%80',
    '%0d%0aX-Evil:%201',
    '😀',
    '$1',
    '*',
    '__proto__',
    'constructor',
    'null',
    '-1',
    '1e308',
    'NaN',
    'a'.repeat(3_000),
    '%41'.repeat(1_000),
  ]
  return [
    ...words.map((word) => ({ name: `order ${word.slice(0, 40)}`, path: `/api/v2/orders/${encodeURI(decodeSafely(word))}` })),
    ...words.map((word) => ({ name: `raw order ${word.slice(0, 40)}`, path: `/api/v2/orders/${asPath(word)}` })),
    ...words.flatMap((word) =>
      ['network', 'size_gb'].map((name) => ({
        name: `packages ${name} ${word.slice(0, 40)}`,
        path: `/api/v2/packages?${name}=${asPath(word)}`,
      })),
    ),
    { name: 'packages twice', path: '/api/v2/packages?network=MTN&network=Telecel&size_gb=1&size_gb=2' },
    { name: 'packages nested', path: '/api/v2/packages?network[$ne]=x&__proto__[a]=b' },
    { name: 'packages flood', path: `/api/v2/packages?${'a=b&'.repeat(2_000)}` },
  ]
}

/** Anything that an HTTP client library can put on a request line. */
const asPath = (word: string) => word.replaceAll(/[^\x21-\x7e]/gu, (character) => encodeURIComponent(character))

function decodeSafely(word: string): string {
  try {
    return decodeURIComponent(word)
  } catch {
    return word
  }
}

function callbackCases(): Case[] {
  const bodies = [...badBodies, '{"event":"order.completed","data":{"ref":"nobody","orderStatus":"completed"}}']
  const signatures: Record<string, string>[] = [
    {},
    { 'x-datamart-signature': 'a'.repeat(64) },
    { 'x-datamart-signature': '\u00ff' },
  ]
  return bodies.flatMap((rawBody) =>
    ['datamart', '__proto__', 'nobody', '%00'].flatMap((supplier) =>
      signatures.map((headers) => ({
        name: `callback ${supplier} ${rawBody.slice(0, 40)}`,
        path: `/callbacks/${supplier}`,
        rawBody,
        headers,
      })),
    ),
  )
}

async function inGroups<T>(cases: readonly T[], ask: (one: T) => Promise<void>): Promise<void> {
  for (let first = 0; first < cases.length; first += 16) await Promise.all(cases.slice(first, first + 16).map(ask))
}

/** The statuses that a request with a valid key may get, whatever its content (contract, Errors). */
const statusesOfAGoodKey = new Set([200, 400, 404, 409])

/** Sends all cases and returns those whose status is not one of `statusesOfAGoodKey`. The client checks the envelope. */
async function findUnexpected(cases: readonly Case[], method: 'GET' | 'POST'): Promise<string[]> {
  const unexpected: string[] = []
  await inGroups(cases, async ({ name, path, rawBody, headers = {} }) => {
    const question = {
      url: `${api.url}${path}`,
      method,
      key: hostile.key,
      headers,
      ...(rawBody === undefined ? {} : { rawBody }),
    }
    const outcome = await askUndisturbed(question).catch((error: unknown) => String(error))
    if (typeof outcome === 'object' && outcome.kind === 'answer' && statusesOfAGoodKey.has(outcome.status)) return
    unexpected.push(`${name}: ${JSON.stringify(outcome)}`)
  })
  return unexpected
}

/** Finds orders from hostile bodies that the contract does not allow: every order must be complete and paid. */
async function findOddOrders(): Promise<unknown[]> {
  return installation.query(
    `select reference, recipient, details from orders
     where account_id = $1 and (recipient !~ '^0[0-9]{9}$' or reference = '' or char_length(reference) > 100
       or price <= 0 or reference ~ '[[:cntrl:]]')`,
    [hostile.accountId],
  )
}

test('hostile bodies at POST /data/purchase: 200 or 4xx in the envelope, never 5xx', async () => {
  expect(await findUnexpected(purchaseCases(), 'POST')).toEqual([])
  expect(await findOddOrders()).toEqual([])
})

test('hostile bodies at POST /data/bulk: 200 or 4xx in the envelope, never 5xx', async () => {
  expect(await findUnexpected(bulkCases(), 'POST')).toEqual([])
  expect(await findOddOrders()).toEqual([])
})

test('hostile paths and queries at GET /orders/{reference} and GET /packages: 200 or 4xx in the envelope, never 5xx', async () => {
  expect(await findUnexpected(readingCases(), 'GET')).toEqual([])
})

test('hostile keys: 401 or 429 in the envelope, never 5xx', async () => {
  const keys = [
    "'",
    'Bearer x',
    'a'.repeat(8_000),
    `${hostile.key} `.repeat(2),
    `${hostile.key.slice(0, -1)}!`,
    '\u00ff\u00fe',
    '\t',
    '{}',
    '*',
  ]
  const outcomes = await Promise.all(keys.map((key) => askUndisturbed({ url: `${api.url}/api/v2/packages`, key })))
  for (const outcome of outcomes) expect([401, 429]).toContain(outcome?.kind === 'answer' ? outcome.status : outcome?.code)
})

/** Undefined: the connection broke. */
async function askStatus(...asked: Parameters<typeof request>): Promise<number | undefined> {
  try {
    const { statusCode, body } = await request(...asked)
    await body.dump()
    return statusCode
  } catch (error) {
    classifyFailure(error)
    return undefined
  }
}

test('forged, malformed and huge callbacks: refused with 4xx, and no order changes', async () => {
  const ca = await readFile(join(installation.dataDir, 'tls', 'ca.pem'), 'utf8')
  const dispatcher = new Agent({ connect: { ca } })
  const unexpected: string[] = []
  try {
    await inGroups(callbackCases(), async ({ name, path, rawBody = '', headers = {} }) => {
      // Callbacks have no envelope, so that their status is read without the reseller's client.
      const asked = {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: rawBody,
        dispatcher,
      } as const
      const statusCode = await observeUndisturbed(() => askStatus(`${api.url}${path}`, asked))
      if (statusCode === undefined || statusCode < 400 || statusCode >= 500) unexpected.push(`${name}: ${statusCode}`)
    })
  } finally {
    await dispatcher.destroy()
  }
  expect(unexpected).toEqual([])
  const kept = await installation.query<{ evidence: Buffer }>(`select evidence from attempt_answers where source = 'callback'`)
  expect(kept.map(({ evidence }) => readEvidence(evidence)).filter((text) => text.includes('nobody'))).toEqual([])
})

async function connectBare(): Promise<TLSSocket> {
  const ca = await readFile(join(installation.dataDir, 'tls', 'ca.pem'), 'utf8')
  const socket = connectSecurely({ host: '127.0.0.1', port: Number(new URL(api.url).port), ca, servername: 'localhost' })
  socket.on('error', () => undefined)
  await once(socket, 'secureConnect')
  return socket
}

test('slow headers, slow bodies and clients that never read hold nothing that others need', async () => {
  const head = `POST /api/v2/data/purchase HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${hostile.key}\r\nContent-Type: application/json\r\n`
  const beginnings = [
    'GET /api/v2/packages HTTP/1.1\r\nX-Slow: ',
    `${head}Content-Length: 1000\r\n\r\n{"network"`,
    `${head}Transfer-Encoding: chunked\r\n\r\n5\r\n{"a":`,
    `GET /api/v2/packages HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${hostile.key}\r\n\r\n`.repeat(20),
  ]
  const sockets = await Promise.all(Array.from({ length: 100 }, connectBare))
  sockets.forEach((socket, no) => {
    socket.pause()
    socket.write(beginnings[no % beginnings.length] ?? '')
  })
  // The connections hang for longer than any request of ours takes.
  await sleep(3_000)
  // A new client is served while all of these connections hang.
  const look = { url: `${api.url}/api/v2/wallet/balance`, key: neighbour.key }
  expect(await askUndisturbed(look)).toMatchObject({ status: 200 })
  for (const socket of sockets) socket.destroy()
})

test('beside all of this a well-behaved client is served every time, and memory stays bounded', async () => {
  onTestFailed(() => console.error(installation.readLogs()))
  over.abort()
  const outcomes = await neighbourOutcomes
  expect(outcomes.length).toBeGreaterThan(10)
  expect(new Set(outcomes.map((outcome) => (outcome.kind === 'answer' ? outcome.status : outcome.code)))).toEqual(new Set([200]))
  expect(await findJournalBreaches(installation, journal)).toEqual([])
  expect(await readMemoryMegabytes(api.pid() ?? 0)).toBeLessThan(memoryMegabytesMax)
  expect((await installation.tryCommand('audit')).json).toMatchObject({ ok: true })
})
