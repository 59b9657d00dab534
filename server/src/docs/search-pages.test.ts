import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Agent, request } from 'undici'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../test/start-test-app.ts'
import { refusals } from '../platform/http/refusals.ts'
import { products } from '../products/products.ts'
import { buildSite, type Site } from './build-site.ts'
import type { OpenApiDocument } from './openapi.ts'

const publicUrl = 'https://shop.example.com'

/** The facts that the documentation takes from the server besides the OpenAPI document. */
const told = () => ({
  endpoints: app.api.app.endpoints,
  refusals: [refusals, ...products.map((product) => product.refusals)],
})

let app: TestApp
let agent: Agent
let built: Site

beforeAll(async () => {
  app = await startTestApp()
  agent = new Agent({ connect: { ca: await readFile(join(app.dataDir, 'tls', 'ca.pem')) } })
  built = await buildSite({ document: app.api.app.swagger() as OpenApiDocument, publicUrl, isSimulated: false, ...told() })
})
afterAll(async () => {
  await agent.close()
  await app.close()
})

async function get(path: string, headers: Record<string, string> = {}) {
  const response = await request(`${app.url}${path}`, { dispatcher: agent, headers })
  return { status: response.statusCode, headers: response.headers, text: await response.body.text() }
}

function pages(): [string, string][] {
  return [...built.files]
    .filter(([, file]) => file.contentType.startsWith('text/html'))
    .map(([path, file]) => [path, file.body.toString('utf8')])
}

describe('the search', () => {
  const search = (query: string) => built.search(query).body.toString('utf8')

  test('finds the sections that hold every word, those with the words in their heading first', () => {
    const links = [...search('pay bill').matchAll(/<li><a href="([^"]+)">([^<]+)<\/a> <small>([^<]*)/g)].map((match) =>
      match.slice(1),
    )
    expect(links[0]).toEqual(['/docs/reference/utility-bills#payBill', 'Pay a bill', 'Utility bills'])
    expect(search('INSUFFICIENT_funds')).toContain('<a href="/docs/errors#all-of-them">All of them</a> <small>Errors</small>')
    expect(search('insufficient_funds')).toContain('<mark>insufficient_funds</mark>')
    expect(search('outcome_unknown zebra')).toContain('No sections for <b>outcome_unknown zebra</b>.')
    expect(search('a')).toContain('The best 20 sections for')
  })

  test('leads only to places that are there', () => {
    const anchors = new Map(pages().map(([path, text]) => [path, text]))
    for (const [, href = ''] of [...search('the').matchAll(/<li><a href="([^"]+)">/g)].slice(0, 30)) {
      const [page = '', anchor] = href.split('#')
      expect([href, anchors.get(page)?.includes(anchor === undefined ? '' : ` id="${anchor}"`)]).toEqual([href, true])
    }
  })

  test('works without a script, from every page, by asking this server', async () => {
    for (const [, text] of pages())
      expect(text).toContain('<form class="search" role="search" aria-label="Documentation" action="/docs/search">')
    const { status, headers, text } = await get('/docs/search?q=duplicate+window')
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(headers['content-security-policy']).toContain("form-action 'self'")
    expect(text).toContain('<b>duplicate window</b>')
    expect((await get('/docs/search')).text).toContain('<h1>Search</h1>')
  })

  test('shows what was typed as text, however long and evil it is', () => {
    const page = search(`"><script>alert(1)</script>${'a '.repeat(5000)}`)
    expect(page).not.toContain('<script')
    expect(page).toContain('No sections for')
  })
})

test('llms.txt leads to every page of the documentation and to the OpenAPI document', async () => {
  const { status, headers } = await get('/llms.txt')
  expect([status, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8'])
  const text = built.files.get('/llms.txt')?.body.toString('utf8') ?? ''
  expect(text).toMatch(/^# Makola API\n\n> /)
  const paths = [...text.matchAll(/\]\(https:\/\/shop\.example\.com([^)]+)\)/g)].map((match) => match[1])
  expect(new Set(paths)).toEqual(new Set([...pages().map(([path]) => path), '/openapi.json']))
})
