import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Agent, request as requestSecurely } from 'node:https'
import type { AddressInfo } from 'node:net'

// Answers have many shapes, and each mutation changes the part that it is about.
// oxlint-disable-next-line typescript/no-explicit-any
export type Passed = { status: number; body: any; readonly sent: any; readonly key: string }

/** Changes the answers of one endpoint, as a faulty implementation would give them. */
export type Mutation = {
  /** Where it works: the method and the beginning of the path. */
  readonly on: string
  readonly change: (answer: Passed) => void | Promise<void>
}

async function readText(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

export type MutatingProxy = { readonly url: string; mutate(mutation: Mutation | undefined): void; close(): void }

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

/** Passes requests on to an API, and changes its answers by the mutation that is set. */
export async function startMutatingProxy(apiUrl: string, ca: string): Promise<MutatingProxy> {
  let mutation: Mutation | undefined
  const agent = new Agent({ ca, keepAlive: true })

  async function pass(request: IncomingMessage, body: string, sentBody: unknown): Promise<Passed> {
    const { authorization, 'content-type': type } = request.headers
    const headers = { ...(authorization && { authorization }), ...(type && { 'content-type': type }) }
    const sent = requestSecurely(`${apiUrl}${request.url}`, { agent, method: request.method, headers })
    sent.end(body)
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    return { status: answer.statusCode ?? 0, body: parse(await readText(answer)), sent: sentBody, key: authorization ?? '' }
  }

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readText(request)
    const answer = await pass(request, body, parse(body))
    const line = `${request.method} ${request.url?.replace('/api/v2', '')}`
    if (mutation && line.startsWith(mutation.on)) await mutation.change(answer)
    response.writeHead(answer.status, { 'content-type': 'application/json' })
    response.end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body))
  }

  const server = createServer((request, response) => void take(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v2`,
    mutate: (next) => void (mutation = next),
    close() {
      server.closeAllConnections()
      server.close()
      agent.destroy()
    },
  }
}
