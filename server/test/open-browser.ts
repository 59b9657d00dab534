import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { Agent, type Dispatcher, request as send } from 'undici'
import { root } from './reading/read-sources.ts'
import { validateResponsesAgainst } from './servers/validate-response.ts'
import type { Answer, TestApp } from './start-test-app.ts'

/** A body that is sent as it is. */
export type SentBody = { readonly method: 'POST' | 'PUT'; readonly type: string; readonly body: string | Buffer | Readable }

/** A browser that keeps cookies, as one of a person does. */
export type TestBrowser = {
  /**
   * Asks with the cookies and the origin of a page of the site; every answer of JSON must fit the dashboard's document.
   */
  ask(method: string, path: string, body?: unknown, headers?: Record<string, string | undefined>): Promise<Answer>
  /** Fetches an address whose answer is no JSON, as its bytes; or sends something there, and does not look at the answer. */
  download(path: string, sent?: SentBody): Promise<{ status: number; type: string | string[] | undefined; bytes: Buffer }>
  /** The cookies by name. */
  readonly cookies: Map<string, string>
  /** The `Set-Cookie` lines of the last answer. */
  readonly lastSetCookies: readonly string[]
  close(): Promise<void>
}

const written = JSON.parse(readFileSync(join(root, 'contract/dashboard.openapi.json'), 'utf8')) as object
/** The paths of this document are whole, so no path of a server stands before them. */
const validateResponse = validateResponsesAgainst({ ...written, servers: [] })

/** An answer of ours without a type is JSON, but for one that sends the browser elsewhere. */
const typeOf = ({ statusCode, headers }: Dispatcher.ResponseData): string =>
  String(headers['content-type'] ?? (statusCode === 302 ? 'none' : 'application/json'))

/**
 * Opens a browser at an app.
 * @param address the address that it comes from, such as `127.0.0.2`; the one that the system gives it if left out
 */
export async function openBrowser(app: Pick<TestApp, 'url' | 'dataDir'>, address?: string): Promise<TestBrowser> {
  const ca = await readFile(join(app.dataDir, 'tls', 'ca.pem'))
  const dispatcher = new Agent({ connect: { ca, family: 4 }, ...(address !== undefined && { localAddress: address }) })
  const cookies = new Map<string, string>()
  let lastSetCookies: string[] = []

  const cookieHeader = () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')

  function keep(lines: readonly string[]): void {
    lastSetCookies = [...lines]
    for (const line of lines) {
      const [pair = ''] = line.split(';')
      const name = pair.slice(0, pair.indexOf('='))
      if (/max-age=0/i.test(line)) cookies.delete(name)
      else cookies.set(name, pair.slice(name.length + 1))
    }
  }

  return {
    cookies,
    get lastSetCookies() {
      return lastSetCookies
    },
    async ask(method, path, body, headers = {}) {
      const given: Record<string, string | undefined> = {
        origin: app.url,
        ...(cookies.size > 0 && { cookie: cookieHeader() }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      }
      const sent = Object.fromEntries(
        Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
      )
      const response = await send(`${app.url}${path}`, {
        method: method as 'GET',
        dispatcher,
        headers: sent,
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
      const text = await response.body.text()
      const { 'set-cookie': lines = [] } = response.headers
      keep(typeof lines === 'string' ? [lines] : lines)
      const isFile = !typeOf(response).startsWith('application/json')
      const read = () => (isFile ? text : JSON.parse(text))
      const answer = { status: response.statusCode, headers: response.headers, body: text === '' ? undefined : read() }
      // A file has no envelope.
      if (!isFile) validateResponse({ method, path, status: answer.status, body: answer.body })
      return answer
    },
    async download(path, sent) {
      const { statusCode, headers, body } = await send(`${app.url}${path}`, {
        dispatcher,
        headers: {
          cookie: cookieHeader(),
          'sec-fetch-site': 'same-origin',
          ...(sent && { origin: app.url, 'content-type': sent.type }),
        },
        ...(sent && { method: sent.method, body: sent.body }),
      })
      return { status: statusCode, type: headers['content-type'], bytes: Buffer.from(await body.arrayBuffer()) }
    },
    close: () => dispatcher.close(),
  }
}
