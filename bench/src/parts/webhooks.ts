import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { createAccount } from '../../../server/src/accounts/create-account.ts'
import { makeEndpoint } from '../../../server/src/notices/webhooks/endpoints.ts'
import { queueWebhookEvents } from '../../../server/src/notices/webhooks/queue-webhook-events.ts'
import type { Db } from '../../../server/src/platform/database/database.ts'
import { inTransaction } from '../../../server/src/platform/database/in-transaction.ts'
import { loadSecretsKeys } from '../../../server/src/platform/secrets/load-secrets-keys.ts'
import type { SecretsKeys } from '../../../server/src/platform/secrets/secrets-keys.ts'
import type { Bench } from '../bench-servers.ts'
import { median } from '../measure/median.ts'
import { atMost } from '../report/make-ratio.ts'
import { withRoles } from '../start-servers.ts'
import type { Part } from './part.ts'

/** Endpoints that answer at once. Each belongs to another account; `perSecond` is the number of events for all of them. */
const healthy = { path: 'take', endpoints: 1_000, perSecond: 100 }

/** Endpoints that never answer. Each gets as many events as a healthy one. */
const hanging = { path: 'hang', endpoints: 300, perSecond: 30 }

const ticksPerSecond = 10

/** The worker finds out after 10 s that an endpoint hangs. A shorter measurement would not show what follows. */
const watchedSecondsMin = 20

/** In the first seconds the worker runs code that V8 has not compiled yet. */
const leadInSeconds = 5

/** Events that have not all arrived after this time are stuck. */
const patienceMilliseconds = 120_000

type Load = { readonly accounts: readonly string[]; readonly perSecond: number }

/** Starts a server that answers each event sent to `/take`, and notes its age in milliseconds. It answers no other path. */
async function startReceiver() {
  const latencies: number[] = []
  const server = createServer((request, response) => {
    void request.toArray().then((pieces) => {
      if (request.url !== '/take') return
      const { data } = JSON.parse(Buffer.concat(pieces as Buffer[]).toString('utf8')) as { data: { queued_at: number } }
      latencies.push(Date.now() - data.queued_at)
      response.writeHead(204).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    latencies,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

type Opening = typeof healthy & { readonly db: Db; readonly secretsKeys: SecretsKeys; readonly origin: string }

async function openEndpoints({ db, secretsKeys, origin, path, endpoints, perSecond }: Opening): Promise<Load> {
  const account = { role: 'agent', roleExpiresAt: null, isBusiness: true, isPolicyAccepted: true, actor: 'bench' } as const
  return inTransaction(db, async (tx) => {
    const accounts: string[] = []
    for (let no = 0; no < endpoints; no += 1) {
      const { accountId } = await createAccount(tx, { ...account, name: 'Bench', email: `${path}.${no}@webhooks.bench.test` })
      const request = { accountId, url: `${origin}/${path}`, events: ['order.completed'] as const }
      await makeEndpoint(tx, request, { secretsKeys, isLive: false, actor: 'bench' })
      accounts.push(accountId)
    }
    return { accounts, perSecond }
  })
}

/** Queues events at a constant rate, for one account after the other. @returns how many */
async function queueEvents(db: Db, { accounts, perSecond }: Load, seconds: number): Promise<number> {
  const perTick = perSecond / ticksPerSecond
  const beganAt = performance.now()
  let queued = 0
  for (let tick = 0; tick < seconds * ticksPerSecond; tick += 1) {
    const events = Array.from({ length: perTick }, (_, no) => ({
      accountId: accounts[(queued + no) % accounts.length] ?? '',
      type: 'order.completed' as const,
      subject: `order ${tick} ${no}`,
      data: { queued_at: Date.now() },
    }))
    await inTransaction(db, (tx) => queueWebhookEvents(tx, events))
    queued += perTick
    await wait(Math.max(0, beganAt + ((tick + 1) * 1_000) / ticksPerSecond - performance.now()))
  }
  return queued
}

const p99 = (latencies: readonly number[]) =>
  latencies.toSorted((a, b) => a - b)[Math.floor(latencies.length * 0.99)] ?? Number.NaN

const isLeased = sql<boolean>`exists (select from webhook_endpoints where lease_until > clock_timestamp())`

/** Forgets that endpoints hang, so that each round finds it out again. First waits for the last requests to end. */
async function forgetHanging(db: Db, url: string): Promise<void> {
  await sql`delete from webhook_deliveries using webhook_endpoints as endpoint
    where endpoint.id = endpoint_id and endpoint.url = ${url}`.execute(db)
  while ((await db.selectNoFrom(isLeased.as('leased')).executeTakeFirst())?.leased) await wait(100)
  await sql`update webhook_endpoints set failures = 0, is_slow = false, next_try_at = now() where url = ${url}`.execute(db)
}

type Round = { readonly alone: number; readonly beside: number }

/** Sends to the endpoints that answer, alone and beside those that hang, in turn. @returns p99 in milliseconds */
async function measure({ db, dataDir, say }: Bench, seconds: number, rounds: number): Promise<Round[]> {
  const secretsKeys = await loadSecretsKeys({ dataDir, databaseUrl: undefined, secretsKey: undefined })
  const receiver = await startReceiver()
  const [quick, others] = [
    await openEndpoints({ ...healthy, db, secretsKeys, origin: receiver.url }),
    await openEndpoints({ ...hanging, db, secretsKeys, origin: receiver.url }),
  ]
  const watch = async (watchedSeconds: number, ...beside: readonly Load[]) => {
    receiver.latencies.length = 0
    const [queued = 0] = await Promise.all([quick, ...beside].map((load) => queueEvents(db, load, watchedSeconds)))
    for (const until = performance.now() + patienceMilliseconds; receiver.latencies.length < queued; await wait(50))
      if (performance.now() > until) throw new Error(`only ${receiver.latencies.length} of ${queued} events arrived`)
    return p99(receiver.latencies)
  }
  try {
    return await withRoles(async (start) => {
      await start('worker', dataDir)
      await watch(leadInSeconds)
      const measured: Round[] = []
      while (measured.length < rounds) {
        const round = { alone: await watch(seconds), beside: await watch(seconds, others) }
        say(`  p99 ${round.alone} ms alone, ${round.beside} ms beside endpoints that hang`)
        measured.push(round)
        await forgetHanging(db, `${receiver.url}/${hanging.path}`)
      }
      return measured
    })
  } finally {
    receiver.close()
    await sql`delete from webhook_endpoints`.execute(db)
  }
}

export const webhooksPart: Part = {
  name: 'webhooks',
  measures: 'events to 1,000 endpoints, alone and beside 300 endpoints that hang',
  isForFullRunOnly: true,
  async run(bench) {
    await bench.stopServers()
    const rounds = await measure(bench, Math.max(bench.options.seconds, watchedSecondsMin), bench.options.rounds)
    const alone = median(rounds.map((round) => round.alone))
    const beside = median(rounds.map((round) => round.beside))
    const ratio = median(rounds.map((round) => round.beside / round.alone))
    const behind = `p99 ${Math.round(beside)} ms against ${Math.round(alone)} ms`
    return {
      ratios: [atMost('1,000 webhook endpoints, 100 events/s: p99 beside 300 that hang ÷ alone', ratio, 1.2, behind)],
      figures: { 'webhooks to 1,000 endpoints, p99 ms': alone },
    }
  },
}
