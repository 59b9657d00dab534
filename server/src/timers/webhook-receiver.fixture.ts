import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type ReceivedWebhook = {
  readonly id: string
  readonly signature: string
  readonly at: number
  readonly body: string
  readonly type: string
  readonly data: Record<string, unknown>
}

type Answer = (webhook: ReceivedWebhook, response: ServerResponse) => void

async function readWebhook(request: IncomingMessage): Promise<ReceivedWebhook> {
  const body = (await request.toArray()).join('')
  const { type, data } = JSON.parse(body) as { type: string; data: Record<string, unknown> }
  const { 'webhook-id': id, 'webhook-signature': signature, 'webhook-timestamp': at } = request.headers
  return { id: String(id), signature: String(signature), at: Number(at), body, type, data }
}

/** A reseller's program that takes webhooks on this machine, and keeps what came. It answers as the test says; 204 otherwise. */
export async function startWebhookReceiver() {
  const received: ReceivedWebhook[] = []
  let answer: Answer = (_webhook, response) => response.writeHead(204).end()
  const server = createServer((request, response) => {
    void readWebhook(request).then((webhook) => {
      received.push(webhook)
      answer(webhook, response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook?key=secret`,
    received,
    answer: (next: Answer) => {
      answer = next
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export type WebhookReceiver = Awaited<ReturnType<typeof startWebhookReceiver>>
