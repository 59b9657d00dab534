import { once } from 'node:events'
import { createServer } from 'node:https'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import { tlsRules } from '../../../server/src/platform/http/listener/create-listener.ts'
import { prepareTransport } from '../../../server/src/platform/http/listener/prepare-transport.ts'

export type BareDrain = {
  readonly simulatorUrl: string
  readonly dataDir: string
  /** Port that the simulator calls back to. */
  readonly callbackPort: number
  readonly orders: number
  readonly measuredShare: number
  readonly concurrency: number
}

/** How long it took until the measured share of the orders had ended, and how many had ended. */
export type BareDrained = { readonly milliseconds: number; readonly ended: number }

const patienceMilliseconds = 120_000
const headers = { 'x-api-key': 'simulated-datamart-key' }
const purchase = { phoneNumber: '0241234567', network: 'YELLO', capacity: '1', gateway: 'wallet' }

async function listenForCallbacks({ dataDir, callbackPort }: BareDrain, onOrder: (reference: string) => void) {
  const transport = await prepareTransport({ kind: 'local' }, { dataDir, host: '127.0.0.1' })
  if (transport.kind !== 'tls') throw new Error('callbacks come over HTTPS')
  const server = createServer({ cert: transport.certificate, key: transport.key, ...tlsRules }, (request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      onOrder((JSON.parse(Buffer.concat(parts).toString()) as { data: { ref: string } }).data.ref)
      response.end()
    })
  })
  server.listen(callbackPort, '127.0.0.1')
  await once(server, 'listening')
  return server
}

async function call(pool: Pool, path: string, reference: string, body: string | null = null): Promise<string> {
  const more = body === null ? {} : { 'content-type': 'application/json', 'x-idempotency-key': reference }
  const method = body === null ? 'GET' : 'POST'
  const answer = await pool.request({ path: `/datamart/api/developer/${path}`, method, headers: { ...headers, ...more }, body })
  const said = (await answer.body.json()) as { data?: { orderStatus?: string } }
  if (answer.statusCode !== 200) throw new Error(`the simulator answered ${path} with ${answer.statusCode}`)
  return said.data?.orderStatus ?? ''
}

/** Buys every order, waits for its callback, and then looks up its outcome; many calls at once, nothing stored. */
async function drain(asked: BareDrain): Promise<BareDrained> {
  const pool = new Pool(asked.simulatorUrl, { connections: asked.concurrency, pipelining: 1 })
  const run = Date.now().toString(36)
  const delivered: string[] = []
  const server = await listenForCallbacks(asked, (reference) => delivered.push(reference))
  const startedAt = performance.now()
  const [measured, waiting] = [asked.orders * asked.measuredShare, 2]
  let bought = 0
  let ended = 0
  let result: BareDrained | undefined
  async function work(): Promise<void> {
    while (ended < asked.orders) {
      const reference = delivered.pop()
      if (reference !== undefined) {
        const status = await call(pool, `order-status/${reference}`, reference)
        if (status !== 'completed') throw new Error(`an order that was delivered is ${status}`)
        ended += 1
        if (ended >= measured) result ??= { milliseconds: performance.now() - startedAt, ended }
      } else if (bought < asked.orders) {
        bought += 1
        const next = `bare-${run}-${bought}`
        await call(pool, 'purchase', next, JSON.stringify({ ...purchase, ref: next }))
      } else {
        if (performance.now() - startedAt > patienceMilliseconds) throw new Error(`only ${ended} of ${asked.orders} orders ended`)
        await sleep(waiting)
      }
    }
  }
  await Promise.all(Array.from({ length: asked.concurrency }, work))
  await pool.close()
  server.close()
  server.closeAllConnections()
  return result ?? { milliseconds: Number.NaN, ended }
}

// This process is the baseline of the drain: the bench starts it, sends it `BareDrain` and gets `BareDrained`.
process.once('message', (asked: BareDrain) => {
  void drain(asked).then((drained) => {
    process.send?.(drained)
    process.disconnect()
  })
})
