import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormatsModule from 'ajv-formats'
import { Agent, request } from 'undici'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { validateResponsesAgainst } from '../../test/servers/validate-response.ts'
import { startTestApp, type TestApp } from '../../test/start-test-app.ts'
import { refusals } from '../platform/http/refusals.ts'
import { products } from '../products/products.ts'
import { buildSite, type SiteFile } from './build-site.ts'
import { exampleAnswer } from './example-answers.ts'
import { exampleBody } from './make-example.ts'
import { type OpenApiDocument, readOperations } from './openapi.ts'
import { writeSamples } from './write-samples.ts'

// The package is CommonJS: at run time this import is the function itself, although TypeScript sees a namespace.
const addFormats = addFormatsModule as unknown as typeof addFormatsModule.default

const publicUrl = 'https://shop.example.com'

/** The facts that the documentation takes from the server besides the OpenAPI document. */
const told = () => ({
  endpoints: app.api.app.endpoints,
  refusals: [refusals, ...products.map((product) => product.refusals)],
})

let app: TestApp
let agent: Agent
let document: OpenApiDocument
let site: ReadonlyMap<string, SiteFile>

beforeAll(async () => {
  app = await startTestApp()
  agent = new Agent({ connect: { ca: await readFile(join(app.dataDir, 'tls', 'ca.pem')) } })
  document = app.api.app.swagger() as OpenApiDocument
  site = (await buildSite({ document, publicUrl, isSimulated: false, ...told() })).files
})
afterAll(async () => {
  await agent.close()
  await app.close()
})

async function get(path: string, headers: Record<string, string> = {}) {
  const response = await request(`${app.url}${path}`, { dispatcher: agent, headers })
  return { status: response.statusCode, headers: response.headers, body: Buffer.from(await response.body.arrayBuffer()) }
}

function pages(): [string, string][] {
  return [...site]
    .filter(([, file]) => file.contentType.startsWith('text/html'))
    .map(([path, file]) => [path, file.body.toString('utf8')])
}

describe('GET /docs', () => {
  test('answers a page that runs no script and loads nothing from elsewhere', async () => {
    const { status, headers, body } = await get('/docs')
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(headers['content-security-policy']).toContain("default-src 'none'")
    expect(headers['content-security-policy']).not.toContain('unsafe')
    expect(body.toString('utf8')).toContain('<h1>Getting started</h1>')
    for (const [, text] of pages()) {
      expect(text).not.toMatch(/<script|<style|\sstyle=|\son[a-z]+=|javascript:/i)
      const loaded = [...text.matchAll(/(?:src|<link[^>]+href)="([^"]+)"/g)].map((match) => match[1])
      expect(loaded.filter((address) => !address?.startsWith('/docs/'))).toEqual([])
    }
    expect(site.get([...site.keys()].find((path) => path.endsWith('.css')) ?? '')?.body.toString()).not.toMatch(
      /url\(|@import|@font-face/,
    )
  })

  test('is sent in the coding that the client takes', async () => {
    const plain = (await get('/docs')).body.toString('utf8')
    const br = await get('/docs', { 'accept-encoding': 'gzip, deflate, br' })
    expect(br.headers['content-encoding']).toBe('br')
    expect(brotliDecompressSync(br.body).toString('utf8')).toBe(plain)
    const any = await get('/docs', { 'accept-encoding': 'br;q=0, *' })
    expect(any.headers['content-encoding']).toBe('gzip')
    const gzip = await get('/docs', { 'accept-encoding': 'gzip, br;q=0' })
    expect(gzip.headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(gzip.body).toString('utf8')).toBe(plain)
    expect(gzip.headers['vary']).toBe('accept-encoding')
  })

  test('answers 304 to a client that has it already', async () => {
    const { headers } = await get('/docs', { 'accept-encoding': 'br' })
    const again = await get('/docs', { 'accept-encoding': 'br', 'if-none-match': String(headers['etag']) })
    expect(again.status).toBe(304)
    expect(again.body).toHaveLength(0)
    expect((await get('/docs', { 'accept-encoding': 'br', 'if-none-match': '"other"' })).status).toBe(200)
  })

  test('gives out the clients that its pages name, the same bytes each time', async () => {
    const named = pages().flatMap(([, text]) => [...text.matchAll(/\/docs\/clients\/[\w.-]+/g)].map(([path]) => path))
    expect([...new Set(named)].toSorted()).toEqual(
      [...site.keys()].filter((path) => path.startsWith('/docs/clients/')).toSorted(),
    )
    expect(new Set(named).size).toBe(3)
    for (const path of new Set(named)) {
      const { status, headers, body } = await get(path, { 'accept-encoding': 'gzip' })
      const again = await get(path, { 'accept-encoding': 'gzip' })
      expect([status, again.headers['etag'], again.body.equals(body)]).toEqual([200, headers['etag'], true])
      const known = await get(path, { 'accept-encoding': 'gzip', 'if-none-match': String(headers['etag']) })
      expect(known.status).toBe(304)
    }
  })

  test('lets the style sheet be kept for good, because its address names its content', async () => {
    const [, href = ''] = /<link rel="stylesheet" href="([^"]+)"/.exec((await get('/docs')).body.toString('utf8')) ?? []
    const { status, headers } = await get(href)
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('text/css; charset=utf-8')
    expect(headers['cache-control']).toContain('immutable')
  })

  test('answers 404 in the envelope for a page that is not there, whatever its name', async () => {
    for (const path of [
      '/docs/nothing',
      '/docs/../config.ts',
      '/docs/%2e%2e/%2e%2e/etc/passwd',
      '/docs/constructor',
      '/docs/reference',
    ]) {
      const { status, body } = await get(path)
      expect([path, status]).toEqual([path, 404])
      expect(JSON.parse(body.toString('utf8'))).toMatchObject({ success: false, error: { code: 404 } })
    }
  })
})

describe('the pages', () => {
  test('are at most 60 KB each as sent, style sheet and icon included', () => {
    const shared = [...site].filter(([path]) => path.endsWith('.css') || path.endsWith('.svg'))
    const sharedBytes = shared.reduce((sum, [, file]) => sum + brotliCompressSync(file.body).length, 0)
    for (const [path, text] of pages())
      expect([path, brotliCompressSync(Buffer.from(text)).length + sharedBytes < 60_000]).toEqual([path, true])
  })

  test('link only to pages and places that are there', () => {
    const anchors = new Map(
      pages().map(([path, text]) => [path, new Set([...text.matchAll(/\sid="([^"]+)"/g)].map((match) => match[1]))]),
    )
    const broken = pages().flatMap(([path, text]) =>
      [...text.matchAll(/<a [^>]*href="([^"]+)"/g)]
        .map((match) => match[1] ?? '')
        .filter(
          (href) =>
            !['/openapi.json', '/docs/postman.json', '/docs/bruno.json', '/status', '/status.atom'].includes(href) &&
            !href.startsWith('https://'),
        )
        .filter((href) => {
          const [page, anchor] = href.split('#')
          const found = anchors.get(page === '' || page === undefined ? path : page)
          return !found || (anchor !== undefined && !found.has(anchor))
        })
        .map((href) => `${path} → ${href}`),
    )
    expect(broken).toEqual([])
  })

  test('can be read by a machine that reads aloud: one title, landmarks, unique names, no heading left out', () => {
    for (const [path, text] of pages()) {
      expect(text.match(/<h1[\s>]/g)).toHaveLength(1)
      expect(text).toMatch(/<html lang="en">/)
      for (const landmark of ['<header', '<main', '<nav']) expect(text).toContain(landmark)
      expect(text).toContain('<a class="skip" href="#content">')
      const ids = [...text.matchAll(/\sid="([^"]+)"/g)].map((match) => match[1])
      expect([path, ids.length]).toEqual([path, new Set(ids).size])
      const levels = [...text.slice(text.indexOf('<main')).matchAll(/<h([1-6])/g)].map((match) => Number(match[1]))
      const jumps = levels.filter((level, index) => index > 0 && level > (levels[index - 1] as number) + 1)
      expect([path, jumps]).toEqual([path, []])
    }
  })

  test('show every endpoint of the document with each answer it can give', () => {
    for (const { slug, operations } of readOperations(document, app.api.app.endpoints.refusals)) {
      const text = site.get(`/docs/reference/${slug}`)?.body.toString('utf8') ?? ''
      for (const { id, path, answers, body } of operations) {
        const start = text.indexOf(`id="${id}"`)
        expect([path, slug, start > 0]).toEqual([path, slug, true])
        const section = text.slice(start, text.indexOf('</section>', start))
        for (const { status } of answers) expect(section).toContain(`>${status}</b>`)
        for (const name of Object.keys(body?.properties ?? {})) expect(section).toContain(`<code>${name}</code>`)
      }
    }
  })

  test('show of a payment its fields and an example in both forms of the answer', () => {
    const text = site.get('/docs/reference/utility-bills')?.body.toString('utf8') ?? ''
    const start = text.indexOf('id="payBill"')
    const section = text.slice(start, text.indexOf('</section>', start))
    const answer = section.slice(section.indexOf('<h3>Answer</h3>'))
    for (const name of ['commission_share_percent', 'new_balance', 'already_processed'])
      expect(answer).toContain(`<code>${name}</code>`)
    for (const form of ['A new payment: ', 'A repeat: ']) {
      expect(answer).toContain(`<h4>${form}`)
      expect(answer).toContain(`aria-label="Example of an answer 200. ${form}`)
    }
  })

  test('say of each status that may follow a lost answer what it says about that one', () => {
    const rowOf = (slug: string, code: string) =>
      (site.get(`/docs/${slug}`)?.body.toString('utf8') ?? '')
        .split('<tr')
        .find((row) => new RegExp(`<div>[^<]*${code}`).test(row)) ?? ''
    for (const code of ['401', '403', '429']) {
      expect(rowOf('retries', code)).toMatch(/says nothing about an earlier try.*repeat the same reference when you can/)
      expect(rowOf('errors', code)).toMatch(/not by this try.*same reference/)
    }
    expect(rowOf('retries', '502')).toContain('<strong>no</strong>: only checks and look-ups answer it')
    expect(rowOf('errors', '502')).toMatch(/for a check or a look-up.*no<\/div>/)
  })

  test('let everything that scrolls be reached from the keyboard', () => {
    for (const [path, text] of pages()) {
      const scrolling = [...text.matchAll(/<(?:pre|div class="table")[^>]*>/g)].map(([tag]) => tag)
      expect([path, scrolling.filter((tag) => !/ tabindex="0" role="group" aria-label="[^"]/.test(tag))]).toEqual([path, []])
    }
  })

  test('say we, and never speak of an operator, whom their reader does not know', () => {
    // The changelog is for operators too, and `llms.txt` has its first words.
    const others = [...site].filter(([path]) => path !== '/docs/changelog' && path !== '/llms.txt')
    const speaking = others.filter(([, file]) => /\boperators?\b/i.test(file.body.toString('utf8')))
    expect(speaking.map(([path]) => path)).toEqual([])
  })

  test('speak of test numbers only where a simulator answers', async () => {
    const speaking = [...site]
      .filter(
        ([path, file]) => path !== '/docs/changelog' && /test[- ]number|<!--/i.test(`${path} ${file.body.toString('utf8')}`),
      )
      .map(([path]) => path)
    expect(speaking).toEqual([])
    const { files: simulated } = await buildSite({ document, publicUrl, isSimulated: true, ...told() })
    expect(simulated.get('/docs/test-numbers')?.body.toString('utf8')).toContain('<h1>Test numbers</h1>')
    expect(simulated.get('/docs')?.body.toString('utf8')).toContain(
      '<a href="/docs/test-numbers">test numbers</a> play every outcome',
    )
    expect(simulated.get('/docs/test-mode')?.body.toString('utf8')).toContain('<code>TEST_MODE=on npm start</code>')
  })

  test('of limits leave out what only the app calls, and no sample begins in the middle of a list', () => {
    expect(site.get('/docs/limits')?.body.toString('utf8')).not.toContain('/app/')
    for (const [path, text] of pages()) expect([path, /[?&]after=/.exec(text)]).toEqual([path, null])
  })

  test('name this installation’s own address', () => {
    for (const [, text] of pages()) expect(text).not.toContain('localhost:8443')
    expect(site.get('/docs')?.body.toString()).toContain(`${publicUrl}/api/v2/data/purchase`)
  })

  test('show what the document says as text, not as HTML', async () => {
    const evil = '<script>alert(1)</script>"\'&'
    const operation = {
      operationId: 'evil',
      summary: evil,
      description: evil,
      tags: [evil],
      requestBody: {
        content: {
          'application/json': {
            schema: {
              type: 'object',
              properties: { [evil]: { type: 'string', description: evil, examples: [evil] } },
              required: [evil],
            },
          },
        },
      },
      responses: { '200': { description: evil } },
    }
    const { files: evilSite } = await buildSite({
      document: { ...document, paths: { ...document.paths, [`/${evil}`]: { post: operation } } },
      publicUrl,
      isSimulated: false,
      ...told(),
    })
    const evilPages = [...evilSite].filter(
      ([, file]) => file.contentType.startsWith('text/html') && file.body.includes('<script'),
    )
    expect(evilPages.map(([path]) => path)).toEqual([])
  })
})

describe('the examples', () => {
  test('carry a reference in every language where they move money', () => {
    const moving = readOperations(document, app.api.app.endpoints.refusals)
      .flatMap((group) => group.operations)
      .filter(({ method, body }) => method === 'POST' && /"reference"/.test(JSON.stringify(body ?? {})))
    expect(moving.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['sendSms', 'payBill', 'purchaseData', 'purchaseDataBatch']),
    )
    for (const operation of moving) {
      for (const { language, code } of writeSamples(operation, publicUrl)) {
        expect([operation.id, language, /\breference['"]?(:| =>)/.test(code)]).toEqual([operation.id, language, true])
      }
    }
  })

  test('of requests fit what their endpoint takes', () => {
    const ajv = new Ajv2020({ strict: false })
    addFormats(ajv)
    for (const { operations } of readOperations(document, app.api.app.endpoints.refusals)) {
      for (const operation of operations) {
        if (!operation.body) continue
        expect([operation.id, ajv.validate(operation.body, exampleBody(operation)), ajv.errorsText()]).toEqual([
          operation.id,
          true,
          'No errors',
        ])
      }
    }
  })

  test('of airtime and bills say what an order is: its amounts agree, its reference is the one to look it up by', () => {
    const operations = readOperations(document, app.api.app.endpoints.refusals).flatMap((group) => group.operations)
    const answerOf = (id: string, status = 200) => {
      const operation = operations.find((each) => each.id === id)
      const answer = operation?.answers.find((each) => each.status === status)
      return operation && answer && JSON.stringify(exampleAnswer(operation, answer))
    }
    const dataOf = (id: string) => (JSON.parse(answerOf(id) ?? '') as { data: Record<string, unknown> }).data
    expect(dataOf('purchaseAirtime')).toMatchObject({ airtime_amount: 5, total_paid: 5, fee_amount: 0 })
    expect(dataOf('findAirtimeOrder')).toMatchObject({ airtime_amount: 5, reference: dataOf('purchaseAirtime')['reference'] })
    expect(dataOf('payBill')).toMatchObject({ reference: expect.stringMatching(/^UTIL-DSTV-/), account: '7023456789' })
    const { reference, account } = dataOf('payBill')
    const seen = { status: 'pending', commission_earned: null, payment_status: 'paid', reference, account_number: account }
    expect(dataOf('findUtilityOrder')).toMatchObject(seen)
    expect(dataOf('lookUpBillAccount')).toMatchObject({ account_number: account, meters: [] })
    expect(answerOf('payBill', 409)).toContain('less than 30 seconds ago')
  })

  test('say that something is switched off only where a switch stops it', () => {
    const operations = readOperations(document, app.api.app.endpoints.refusals).flatMap((group) => group.operations)
    const stopped = operations
      .filter((operation) => {
        const answer = operation.answers.find(({ status }) => status === 503)
        return answer && JSON.stringify(exampleAnswer(operation, answer)).includes('switched off')
      })
      .map(({ method, path }) => `${method} ${path}`)
    expect(stopped.toSorted()).toEqual([
      'GET /utilities/lookup',
      'POST /afa/register',
      'POST /airtime/purchase',
      'POST /data/bulk',
      'POST /data/purchase',
      'POST /data/verify-number',
      'POST /data/verify-number/server-1',
      'POST /data/verify-number/server-2',
      'POST /resultschecker/purchase',
      'POST /sms/send',
      'POST /utilities/pay',
    ])
  })

  test('fit the schemas of the document, each request and each answer', async () => {
    const validate = validateResponsesAgainst(document)
    for (const { operations } of readOperations(document, app.api.app.endpoints.refusals)) {
      for (const operation of operations) {
        for (const answer of operation.answers) {
          const path = `/api/v2${operation.path.replaceAll(/\{[^}]+\}/g, 'x')}`
          const body = exampleAnswer(operation, answer)
          expect(() => validate({ method: operation.method, path, status: answer.status, body })).not.toThrow()
        }
      }
    }
  })
})
