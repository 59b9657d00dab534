import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** An event as a shop gets it. `orderId` is undefined for events that are about no order. */
export type ReceivedEvent = { readonly id: string; readonly type: string; readonly orderId: string | undefined }

/** Reaction of a receiver to a request. `cut` breaks the connection, `redirect` names another path of the same server. */
export type Answer = 'take' | 'refuse' | 'hang' | 'cut' | 'redirect'

type ChooseAnswer = (event: ReceivedEvent) => Answer | Promise<Answer>

export type Receiver = {
  readonly url: string
  /** The events that were taken, in their order, with repeats. */
  readonly taken: readonly ReceivedEvent[]
  /** Requests whose signature was not that of the endpoint's secret. */
  readonly forged: readonly string[]
  /** Requests to the address that a redirect led to. */
  followed(): number
  setSecret(secret: string): void
  /** Chooses what is done with each request from now on. */
  answer(choose: ChooseAnswer): void
  /** Refuses connections, as a program that was killed does, until `startListening`. */
  stopListening(): Promise<void>
  startListening(): Promise<void>
}

async function readText(request: IncomingMessage): Promise<string> {
  return Buffer.concat((await request.toArray()) as Buffer[]).toString('utf8')
}

function isSigned({ headers }: IncomingMessage, body: string, secret: string): boolean {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`
  return headers['webhook-signature'] === `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
}

/** Starts a server that receives webhooks, as a reseller's would. It answers 204 to each event until the test chooses another answer. */
export async function startReceiver(): Promise<Receiver> {
  const taken: ReceivedEvent[] = []
  const forged: string[] = []
  let followed = 0
  let secret = ''
  let port = 0
  let choose: ChooseAnswer = () => 'take'

  const answers: Readonly<Record<Answer, (response: ServerResponse, event: ReceivedEvent) => void>> = {
    take(response, event) {
      taken.push(event)
      response.writeHead(204).end()
    },
    refuse: (response) => response.writeHead(503).end(),
    hang: () => undefined,
    cut: (response) => response.socket?.resetAndDestroy(),
    redirect: (response) => response.writeHead(301, { location: `http://127.0.0.1:${port}/elsewhere` }).end(),
  }

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url !== '/hook') followed += 1
    const body = await readText(request)
    if (!isSigned(request, body, secret)) forged.push(body)
    const { type, data } = JSON.parse(body) as { type: string; data: { order_id?: string } }
    const event = { id: String(request.headers['webhook-id']), type, orderId: data.order_id }
    answers[await choose(event)](response, event)
  }

  // A request that breaks off in its middle was not taken.
  const server = createServer((request, response) => void receive(request, response).catch(() => undefined))
  async function rise(): Promise<void> {
    if (server.listening) return
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    port = (server.address() as AddressInfo).port
  }
  await rise()
  return {
    url: `http://127.0.0.1:${port}/hook`,
    taken,
    forged,
    followed: () => followed,
    setSecret: (given) => void (secret = given),
    answer: (next) => void (choose = next),
    startListening: rise,
    async stopListening() {
      if (!server.listening) return
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
