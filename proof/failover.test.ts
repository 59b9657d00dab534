import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest'
import { patientCallSeconds } from '../server/test/patience.ts'
import { administrate, type Standby, startStandby, waitForStandby } from '../server/test/servers/start-standby.ts'
import { openTcpProxy, type TcpProxy } from '../server/test/servers/tcp-proxy.ts'
import { findJournalBreaches } from './src/breaches/find-journal-breaches.ts'
import type { Client, Outcome } from './src/client.ts'
import type { ApiProcess } from './src/describe-processes.ts'
import { type Installation, startInstallation } from './src/installation.ts'
import { type DataCall, openJournal } from './src/journal.ts'
import { makeDataBody, singleCall } from './src/make-calls.ts'
import { liftRateLimits, openShop, type Shop } from './src/open-shop.ts'
import { type PlacingDeps, placeOnce, placeUntilDefinite } from './src/place-surely.ts'
import { sendInBursts } from './src/send-in-bursts.ts'
import { waitUntil } from './src/wait-until.ts'

const loadSeconds = 10
const spellMilliseconds = 2_000

let installation: Installation
let client: Client
let shop: Shop
let standby: Standby
/** An address that can be switched from one server to the other, like a proxy or a DNS name. */
let address: TcpProxy
let isSwitched = false
/** The two servers' own addresses, for a process that knows both. */
let own: TcpProxy[] = []
/** One API uses the switching address, the other the list of both addresses. */
let behindAddress: ApiProcess
let withList: ApiProcess

beforeAll(async () => {
  // The first API keeps the embedded server running; the requests go to the others.
  installation = await startInstallation({ apis: 1, workers: 0 })
  standby = await startStandby(installation.dataDir)
  await waitForStandby(installation.dataDir)
  const primaryPath = async () => (await installation.database.socket()).path
  address = await openTcpProxy({ target: async () => (isSwitched ? standby.path : primaryPath()) })
  own = await Promise.all([primaryPath, async () => standby.path].map((target) => openTcpProxy({ target })))
  const databaseUrl = `postgresql://makola_app@127.0.0.1:${address.port}/makola`
  const list = own.map(({ port }) => `127.0.0.1:${port}`).join(',')
  ;[behindAddress, withList, shop, client] = await Promise.all([
    installation.startApi({ databaseUrl }),
    installation.startApi({ databaseUrl: `postgresql://makola_app@${list}/makola?target_session_attrs=read-write` }),
    openShop(installation, { name: 'failover', fundsGhs: '100000.00' }),
    installation.openClient({ connections: 256, patienceSeconds: 40 }),
    // The time limit of calls is long here: on a slow machine the simulator may not answer within a second. Calls without an
    // answer pause routes, and then nothing is delivered for minutes.
    installation.startWorker({ databaseUrl, callSeconds: patientCallSeconds }),
    liftRateLimits(installation),
  ])
})
afterAll(async () => {
  await Promise.all([...own, ...(address ? [address] : [])].map((proxy) => proxy.close()))
  await installation?.destroy()
  await standby?.destroy()
})

type Sent = { call: DataCall; outcome: Outcome }

/** Waits for some purchases, so that the fault hits processes that sell. */
const untilSelling = (sent: readonly Sent[]) =>
  waitUntil('some purchases have succeeded', () => sent.filter(({ outcome }) => outcome.class === 'accepted').length >= 20)

/** Buys while something happens to the database. Returns the outcome of every purchase and of every look at `/readyz`. */
async function buyDuring(
  placing: PlacingDeps,
  name: string,
  happens: (sent: readonly Sent[], ready: ReadonlySet<number>) => Promise<void>,
): Promise<{ sent: Sent[]; ready: Set<number> }> {
  const sent: Sent[] = []
  const ready = new Set<number>()
  const happening = happens(sent, ready)
  await sendInBursts({ seconds: loadSeconds, size: 4, everyMilliseconds: 100, until: happening }, async (no) => {
    const api = placing.apis[no % placing.apis.length] as ApiProcess
    const call = singleCall(shop, makeDataBody(`${name}-${no}`))
    const [outcome, look] = await Promise.all([placeOnce(placing, api, call), client.ask({ url: `${api.url}/readyz` })])
    sent.push({ call, outcome })
    if (look.kind === 'answer') ready.add(look.status)
  })
  await happening
  return { sent, ready }
}

const openPlacing = (name: string): PlacingDeps => ({
  client,
  journal: openJournal(join(installation.dataDir, `${name}.jsonl`)),
  apis: [behindAddress, withList],
})

/** Must hold after every switch: refusals only as 503 in the envelope, no wrong statement about charges, and normal service. */
async function mustMatchAnswers(placing: PlacingDeps, sent: readonly Sent[], books: Pick<Installation, 'query'>): Promise<void> {
  const refused = sent.filter(({ outcome }) => outcome.kind !== 'answer' || outcome.status !== 200)
  for (const { outcome } of refused)
    expect(outcome).toMatchObject({ status: 503, headers: { 'retry-after': expect.stringMatching(/^\d+$/) } })
  const unplaced = refused.filter(
    ({ outcome }) => outcome.kind === 'answer' && outcome.headers['x-error-reason'] !== 'outcome_unknown',
  )
  const references = unplaced.flatMap(({ call }) => call.orders.map(({ reference }) => reference))
  expect(await books.query('select reference from orders where reference = any($1)', [references])).toEqual([])

  await waitUntil('every API process is ready, and serves', async () => {
    const urls = placing.apis.flatMap(({ url }) => [`${url}/readyz`, `${url}/api/v2/wallet/balance`])
    const looks = await Promise.all(urls.map((url) => client.ask({ url, key: shop.key })))
    return looks.every((look) => look.kind === 'answer' && look.status === 200)
  })
  await Promise.all(refused.map(({ call }, no) => placeUntilDefinite(placing, call, no)))
}

async function setReadOnly(value: 'on' | 'off'): Promise<void> {
  const socket = await installation.database.socket()
  await administrate(socket, `alter system set default_transaction_read_only = ${value}`)
  await administrate(socket, 'select pg_reload_conf()')
}

test('a server that takes no writes for a while: 503 and never 500, not ready, and service by itself once it does', async () => {
  onTestFailed(() => console.error(installation.readLogs()))
  const placing = openPlacing('spell')
  const { sent, ready } = await buyDuring(placing, 'spell', async (bought, looks) => {
    await untilSelling(bought)
    await setReadOnly('on')
    // The spell itself, which lasts for a time.
    await sleep(spellMilliseconds)
    await waitUntil('a process has said that it is not ready', () => looks.has(503))
    await setReadOnly('off')
  })
  await mustMatchAnswers(placing, sent, installation)
  expect(ready).toEqual(new Set([200, 503]))
  expect(await findJournalBreaches(installation, placing.journal, 'spell-')).toEqual([])
})

test('an address that leads to the standby for two seconds leaves nothing behind', async () => {
  onTestFailed(() => console.error(installation.readLogs()))
  const placing = { ...openPlacing('astray'), apis: [behindAddress] }
  const { sent } = await buyDuring(placing, 'astray', async (bought) => {
    await untilSelling(bought)
    isSwitched = true
    address.cutAll()
    // The spell itself, which lasts for a time.
    await sleep(spellMilliseconds)
    isSwitched = false
    address.cutAll()
  })
  await mustMatchAnswers(placing, sent, installation)
  expect(await findJournalBreaches(installation, placing.journal, 'astray-')).toEqual([])
})

test('the primary dies and the standby is promoted: what was acknowledged is there, and all goes on without a restart', async () => {
  onTestFailed(() => console.error(installation.readLogs()))
  const placing = openPlacing('promoted')
  let promotedAt = new Date()
  const { sent } = await buyDuring(placing, 'promoted', async (bought) => {
    await untilSelling(bought)
    // The API that keeps the embedded server running would start the dead server again.
    await installation.apis[0]?.kill()
    await installation.database.crash()
    // No server at all for a while, as before a person notices.
    await sleep(1_000)
    await standby.promote()
    promotedAt = new Date()
    isSwitched = true
    address.cutAll()
  })
  await mustMatchAnswers(placing, sent, standby)
  const promoted: Installation = { ...installation, query: (text, values) => standby.query(text, values) }
  expect(await findJournalBreaches(promoted, placing.journal, 'promoted-')).toEqual([])
  expect(await standby.query('select pg_is_in_recovery() as recovers')).toEqual([{ recovers: false }])
  // Claims of the worker on the dead server end with their lease, after a minute. This test ends the leases at once.
  await standby.query(
    "update open_orders set lease_until = '-infinity' where lease_until < $1::timestamptz + interval '1 minute'",
    [promotedAt],
  )
  await waitUntil('the worker has delivered what was bought', async () => {
    const open = await standby.query("select from orders where status not in ('completed', 'failed', 'refunded')")
    return open.length === 0
  })
})
