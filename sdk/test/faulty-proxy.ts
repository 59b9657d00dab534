import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Agent, request as requestSecurely } from 'node:https'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * The fault of one try. "before" and "after" say whether the API gets the request. Faults whose names do not explain them:
 * - `late`: the API carries the request out, and the client never gets the answer.
 * - `reaches-later`: the connection breaks at once, and the request reaches the API while the client tries again.
 * - `twice`: the API gets the request two times at the same moment.
 * - `half-after`: the answer breaks off in its middle.
 * - `page`: something between client and API answers 200 with a page of its own, as the network of a hotel does.
 * - `elsewhere`: something between client and API redirects to another address.
 * - `502-bare-after`: the API carries the request out, and something between answers JSON like ours without a message, and a
 *   `Retry-After` that is no number.
 * - `429:<seconds>`, `503:<reason>`: the API refuses without carrying the request out.
 * - `500-after`, `503-after`: the API carries the request out, and answers that the outcome is not known.
 * - `limit-used:<seconds>`: the answer says that the limit of the endpoint is used up for so long.
 * - `status:<status>`: the answer names another status of the order.
 * - `rows:<name>:<count>:<first number>:<next>`: the answer is a page of a list, which the API does not have.
 */
export type Fault = string

/** A request as the proxy got it. */
export type SeenRequest = { readonly line: string; readonly key: string | undefined; readonly body: unknown; readonly at: number }

/** The faults of the tries of one client, in their order, and the fault of every try after those. */
type Line = { readonly faults: readonly Fault[]; readonly always: Fault; readonly seen: SeenRequest[] }

type Answer = { readonly status: number; readonly headers: IncomingMessage['headers']; readonly body: string }

type Exchange = {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Sends the request to the API. */
  readonly pass: () => Promise<Answer>
  /** The words after the fault's name, which colons separate. */
  readonly words: readonly string[]
}

/** Ends the connection of the client as a broken cable does. */
const cut = ({ request }: Exchange) => void request.socket.resetAndDestroy()

function reply({ response }: Exchange, { status, headers, body }: Answer): void {
  const { 'content-length': _length, 'transfer-encoding': _coding, connection: _connection, ...kept } = headers
  response.writeHead(status, { ...kept, 'content-length': Buffer.byteLength(body) }).end(body)
}

const page = (status: number): Answer => ({ status, headers: { 'content-type': 'text/html' }, body: '<h1>Welcome</h1>' })

function refusal(status: number, reason: string, headers: Record<string, string> = {}): Answer {
  const body = JSON.stringify({ success: false, error: { code: status, message: `The proxy says ${reason}.` } })
  return { status, headers: { 'content-type': 'application/json', 'x-error-reason': reason, ...headers }, body }
}

function rowsOf(name = '', count = '0', first = '0', next?: string): Answer {
  const rows = Array.from({ length: Number(count) }, (_, index) => ({ id: `row-${Number(first) + index}` }))
  const body = JSON.stringify({ success: true, data: { page: 0, [name]: rows, next: next ?? null }, meta: {} })
  return { status: 200, headers: { 'content-type': 'application/json' }, body }
}

const faults: Readonly<Record<string, (exchange: Exchange) => unknown>> = {
  pass: async (exchange) => reply(exchange, await exchange.pass()),
  'cut-before': cut,
  'cut-after': async (exchange) => {
    await exchange.pass()
    cut(exchange)
  },
  late: (exchange) => exchange.pass(),
  'reaches-later': async (exchange) => {
    cut(exchange)
    await sleep(20)
    await exchange.pass()
  },
  twice: async (exchange) => {
    const [answer] = await Promise.all([exchange.pass(), exchange.pass()])
    reply(exchange, answer)
  },
  'half-after': async (exchange) => {
    const { status, headers, body } = await exchange.pass()
    exchange.response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) })
    exchange.response.write(body.slice(0, body.length / 2), () => cut(exchange))
  },
  page: (exchange) => reply(exchange, page(200)),
  elsewhere: (exchange) => reply(exchange, { ...page(307), headers: { location: 'http://127.0.0.1:9/' } }),
  '502-before': (exchange) => reply(exchange, page(502)),
  '502-after': async (exchange) => {
    await exchange.pass()
    reply(exchange, page(502))
  },
  '502-bare-after': async (exchange) => {
    await exchange.pass()
    const body = JSON.stringify({ success: false, error: { code: 502 } })
    reply(exchange, { status: 502, headers: { 'content-type': 'application/json', 'retry-after': '\u00b2' }, body })
  },
  '500-after': async (exchange) => {
    await exchange.pass()
    reply(exchange, refusal(500, 'internal_error'))
  },
  '503-after': async (exchange) => {
    await exchange.pass()
    reply(exchange, refusal(503, 'outcome_unknown'))
  },
  '503': (exchange) => reply(exchange, refusal(503, exchange.words[0] ?? '')),
  '429': (exchange) => reply(exchange, refusal(429, 'rate_limited', { 'retry-after': exchange.words[0] ?? '0' })),
  '401': (exchange) => reply(exchange, refusal(401, 'invalid_key')),
  '403': (exchange) => reply(exchange, refusal(403, 'key_revoked')),
  'limit-used': async (exchange) => {
    const answer = await exchange.pass()
    reply(exchange, { ...answer, headers: { ...answer.headers, ratelimit: `"one";r=0;t=${exchange.words[0]}` } })
  },
  status: async (exchange) => {
    const answer = await exchange.pass()
    reply(exchange, { ...answer, body: answer.body.replace(/"status":"\w+"/, `"status":"${exchange.words[0]}"`) })
  },
  rows: (exchange) => reply(exchange, rowsOf(...exchange.words)),
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

export type FaultyProxy = {
  /**
   * Opens an address of the API. Its first requests get `faults`, one each; every later request gets `always`, no fault if left
   * out.
   */
  open(name: string, faults: readonly Fault[], always?: Fault): string
  /** The requests that came to that address. */
  seen(name: string): readonly SeenRequest[]
  /** Waits until nothing is on its way to the API, so that the books can be read. */
  untilQuiet(): Promise<void>
  close(): Promise<void>
}

/**
 * Starts a proxy between clients and the API that applies the faults. `/<name>/api/v2/…` is passed on to `/api/v2/…`.
 *
 * @param apiUrl the API, without its prefix
 * @param ca the authority of its certificate
 */
export async function startFaultyProxy(apiUrl: string, ca: string): Promise<FaultyProxy> {
  const lines = new Map<string, Line>()
  const agent = new Agent({ ca, keepAlive: true })
  const underWay = new Set<Promise<unknown>>()

  async function pass(request: IncomingMessage, path: string, body: string): Promise<Answer> {
    const { authorization, 'content-type': contentType } = request.headers
    const headers = { ...(authorization && { authorization }), ...(contentType && { 'content-type': contentType }) }
    const sent = requestSecurely(`${apiUrl}${path}`, { agent, method: request.method, headers })
    sent.end(body)
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    return { status: answer.statusCode ?? 0, headers: answer.headers, body: await readBody(answer) }
  }

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, name = '', path = ''] = /^\/([^/]+)(\/.*)$/.exec(request.url ?? '') ?? []
    const line = lines.get(name)
    if (!line) throw new Error(`a request came to ${request.url}, which nobody opened`)
    const body = await readBody(request)
    const [fault = '', ...words] = (line.faults[line.seen.length] ?? line.always).split(':')
    const seen = { line: `${request.method} ${path.replace('/api/v2', '')}`, key: request.headers.authorization }
    line.seen.push({ ...seen, body: body === '' ? undefined : JSON.parse(body), at: Date.now() })
    await faults[fault]?.({ request, response, words, pass: () => pass(request, path, body) })
  }

  const server = createServer((request, response) => {
    const taken = take(request, response).finally(() => underWay.delete(taken))
    underWay.add(taken)
  })
  server.on('connection', (socket) => socket.on('error', () => undefined))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  return {
    open(name, faults, always = 'pass') {
      lines.set(name, { faults, always, seen: [] })
      return `http://127.0.0.1:${port}/${name}/api/v2`
    },
    seen: (name) => lines.get(name)?.seen ?? [],
    async untilQuiet() {
      while (underWay.size > 0) await Promise.all(underWay)
    },
    async close() {
      server.closeAllConnections()
      server.close()
      agent.destroy()
    },
  }
}
