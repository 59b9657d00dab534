import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { patienceSeconds } from '../../../test/patience.ts'
import { pesewas } from '../../money/pesewas.ts'
import { callSupplier } from '../../suppliers/calling/call-supplier.ts'
import { openSupplierHttpClient } from '../../suppliers/calling/supplier-http-client.ts'
import type { AskSchedule, DataSupplier, SupplierAnswer } from '../../suppliers/ports.ts'

/** Answers a request, hangs for ever, or drops the connection. */
export type StubReply = SupplierAnswer | 'hang' | 'drop'

export type StubRequest = {
  readonly call: 'send' | 'status'
  readonly reference: string
  readonly recipient: string
  readonly timesAsked: number
}

export type Stub = {
  /** Every request that the stub received, in order. */
  readonly requests: readonly StubRequest[]
  /** Number of deliveries for each of our references. */
  readonly effects: ReadonlyMap<string, number>
  readonly url: string
  close(): Promise<void>
}

export const quickSchedule: AskSchedule = { delaysSeconds: [0.2, 0.2, 0.4], maximumInFlightSeconds: 0, raiseAfterSeconds: 3_600 }

async function readBody(request: IncomingMessage): Promise<{ recipient: string }> {
  let text = ''
  for await (const part of request) text += String(part)
  return JSON.parse(text) as { recipient: string }
}

/**
 * A small supplier on a real socket. `answer` decides the reply to each request; `deliver` counts a delivery for the
 * request's reference, so that a test can compare.
 */
export async function startStub(answer: (request: StubRequest, deliver: () => void) => StubReply): Promise<Stub> {
  const requests: StubRequest[] = []
  const effects = new Map<string, number>()
  const recipients = new Map<string, string>()
  const timesAsked = new Map<string, number>()

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, call, reference = ''] = new URL(request.url ?? '', 'http://stub').pathname.split('/')
    if (request.method === 'POST') recipients.set(reference, (await readBody(request)).recipient)
    const asked = (timesAsked.get(`${call}/${reference}`) ?? 0) + 1
    timesAsked.set(`${call}/${reference}`, asked)
    const received = { call: call as 'send' | 'status', reference, recipient: recipients.get(reference) ?? '', timesAsked: asked }
    requests.push(received)
    const reply = answer(received, () => effects.set(reference, (effects.get(reference) ?? 0) + 1))
    if (reply === 'hang') return
    if (reply === 'drop') return void request.socket.destroy()
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(reply))
  }

  const server = createServer((request, response) => void handle(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    requests,
    effects,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

export type StubAdapterOptions = Partial<
  Pick<DataSupplier, 'resendClass' | 'resendSafeSeconds' | 'statusNeedsSupplierReference' | 'askSchedule'>
> & { name?: string; slots?: number; callSeconds?: number }

/** An adapter that speaks the stub's format through the HTTP code of every real adapter. */
export function openStubAdapter(url: string, options: StubAdapterOptions = {}): DataSupplier {
  const slots = options.slots ?? 8
  const line = openSupplierHttpClient({
    baseUrl: url,
    slots,
    requestsPerSecond: null,
    // These time-outs are longer than the stub needs on a very busy machine, so that answers are lost only where a test
    // wants it.
    timeouts: { connectSeconds: patienceSeconds, callSeconds: options.callSeconds ?? patienceSeconds },
  })
  async function ask(
    request: { method: 'GET' | 'POST'; path: string; body?: string; mayStillSend?: () => boolean },
    signal: AbortSignal,
  ): Promise<SupplierAnswer> {
    const reply = await callSupplier(line, { headers: { 'content-type': 'application/json' }, ...request }, signal)
    if (reply.kind === 'answered') return JSON.parse(reply.body) as SupplierAnswer
    if (reply.kind === 'lost' || request.method === 'GET') return { meaning: 'unknown', evidence: reply.evidence }
    return { meaning: reply.kind, evidence: reply.evidence }
  }
  return {
    name: options.name ?? 'stub',
    resendClass: options.resendClass ?? 'returns-original',
    resendSafeSeconds: options.resendSafeSeconds ?? null,
    statusNeedsSupplierReference: options.statusNeedsSupplierReference ?? false,
    askSchedule: options.askSchedule ?? quickSchedule,
    minimumFloatPesewas: pesewas(0),
    probeSeconds: 1,
    freeSlots: () => line.pace.free(),
    askStatus: (attempt, signal) => ask({ method: 'GET', path: `/status/${attempt.outgoingReference}` }, signal),
    readFloat: () => Promise.resolve({ meaning: 'read', floatPesewas: pesewas(1_000_000) }),
    buyData: (request, attempt, signal) =>
      ask(
        {
          method: 'POST',
          path: `/send/${attempt.outgoingReference}`,
          body: JSON.stringify({ recipient: request.recipient }),
          mayStillSend: attempt.mayStillSend,
        },
        signal,
      ),
    close: () => line.close(),
  }
}
