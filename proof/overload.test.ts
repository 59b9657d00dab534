import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFailed, test } from 'vitest'
import { findJournalBreaches } from './src/breaches/find-journal-breaches.ts'
import { type LedgerWatch, watchLedger } from './src/breaches/watch-ledger.ts'
import type { Client, Outcome } from './src/client.ts'
import type { ApiProcess } from './src/describe-processes.ts'
import { observeUndisturbed } from './src/faults/undisturbed.ts'
import { type Installation, startInstallation } from './src/installation.ts'
import { type DataCall, openJournal } from './src/journal.ts'
import { makeDataBody, singleCall } from './src/make-calls.ts'
import { openShop, type Shop } from './src/open-shop.ts'
import { type PlacingDeps, placeOnce, placeUntilDefinite } from './src/place-surely.ts'
import { readMemoryMegabytes } from './src/read-memory.ts'
import { sendInBursts } from './src/send-in-bursts.ts'
import { waitUntil } from './src/wait-until.ts'

const pausedSeconds = 8

/** Far more than a process needs, far less than what an unbounded queue would take. */
const memoryMegabytesMax = 400

let installation: Installation
let client: Client
let watch: LedgerWatch

beforeAll(async () => {
  installation = await startInstallation({ workers: 1 })
  client = await installation.openClient({ connections: 512, patienceSeconds: 40 })
})
afterAll(() => installation?.destroy())
beforeEach(() => {
  watch = watchLedger(installation)
})
afterEach(async () => {
  await watch.stop()
})

const openPlacing = (name: string): PlacingDeps => ({
  client,
  journal: openJournal(join(installation.dataDir, `${name}.jsonl`)),
  apis: installation.apis,
})

const apiOf = (no: number) => installation.apis[no % installation.apis.length] as ApiProcess
const statusOf = (outcome: Outcome) => (outcome.kind === 'answer' ? outcome.status : outcome.code)

/** The most memory, in megabytes, that any API process held until `during` is aborted. */
async function watchMemory(during: AbortSignal): Promise<number> {
  let most = 0
  while (!during.aborted) {
    const held = await Promise.all(installation.apis.map((api) => readMemoryMegabytes(api.pid() ?? 0)))
    most = Math.max(most, ...held)
    await sleep(200)
  }
  return most
}

/** Opens connections first, because a busy machine takes long to open many, and a server closes those that take too long. */
async function openConnections(shop: Shop, api: ApiProcess, count: number): Promise<void> {
  const look = () => client.ask({ url: `${api.url}/api/v2/wallet/balance`, key: shop.key })
  let missing = count
  await waitUntil('all connections are open', async () => {
    const statuses = (await Promise.all(Array.from({ length: missing }, look))).map(statusOf)
    const others = statuses.filter((status) => status !== 200)
    missing = others.length
    if (missing > 0) throw new Error(`${missing} were answered ${[...new Set(others)].join(', ')}`)
    return true
  })
}

/** The references that have an order. */
async function findPlaced(references: readonly string[]): Promise<string[]> {
  const rows = await installation.query<{ reference: string }>('select reference from orders where reference = any($1)', [
    references,
  ])
  return rows.map(({ reference }) => reference)
}

/** Stops the database for a time, once the processes sell. */
async function pauseDatabase(seconds: number, sent: readonly { outcome: Outcome }[]): Promise<void> {
  await waitUntil('some purchases have succeeded', () => sent.filter(({ outcome }) => statusOf(outcome) === 200).length >= 100)
  await installation.database.pause()
  await sleep(seconds * 1_000)
  await installation.database.resume()
}

test('a database that stands still for 8 s under load: 503 with Retry-After and no debit, and normal service within 10 s of its return', async () => {
  onTestFailed(() => console.error(installation.readLogs()))
  const shop = await openShop(installation, { name: 'overload', fundsGhs: '100000.00' })
  const placing = openPlacing('overload')
  const sent: { call: DataCall; outcome: Outcome }[] = []
  const over = new AbortController()
  for (const api of installation.apis) await openConnections(shop, api, 256)
  const memory = watchMemory(over.signal)
  const pausing = pauseDatabase(pausedSeconds, sent)
  await sendInBursts({ seconds: pausedSeconds + 2, size: 20, everyMilliseconds: 100, until: pausing }, async (no) => {
    const call = singleCall(shop, makeDataBody(`overload-${no}`))
    sent.push({ call, outcome: await placeOnce(placing, apiOf(no), call) })
  })
  await pausing
  await waitUntil('every request of a burst is served', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 40 }, (_, no) => client.ask({ url: `${apiOf(no).url}/api/v2/wallet/balance`, key: shop.key })),
    )
    return outcomes.every((outcome) => statusOf(outcome) === 200)
  })
  over.abort()
  expect(await memory).toBeLessThan(memoryMegabytesMax)

  const refused = sent.filter(({ outcome }) => statusOf(outcome) !== 200)
  expect(refused.length).toBeGreaterThan(0)
  // On a busy machine some connections may fail; nothing was sent then.
  const notSent = refused.filter(({ outcome }) => outcome.class === 'transient')
  for (const { outcome } of refused.filter((each) => !notSent.includes(each))) {
    expect(outcome).toMatchObject({ status: 503, headers: { 'retry-after': expect.stringMatching(/^\d+$/) } })
  }
  expect(notSent.length).toBeLessThan(refused.length)
  const overloaded = refused.filter(
    ({ outcome }) => outcome.kind === 'answer' && outcome.headers['x-error-reason'] !== 'outcome_unknown',
  )
  expect(await findPlaced(overloaded.flatMap(({ call }) => call.orders.map(({ reference }) => reference)))).toEqual([])

  // A caller that got 503 repeats the call with the same reference.
  await Promise.all(refused.map(({ call }, no) => placeUntilDefinite(placing, call, no)))
  expect(await findJournalBreaches(installation, placing.journal)).toEqual([])
  expect((await installation.tryCommand('audit')).json).toMatchObject({ ok: true })
})

/** Holds an account's wallets, so that purchases wait in the intake while `work` runs. */
async function whileWalletIsHeld(shop: Shop, work: () => Promise<void>): Promise<void> {
  const connection = await installation.connectAsOwner()
  try {
    await connection.query('begin')
    await connection.query('select from wallets where account_id = $1 for update', [shop.accountId])
    await work()
    await connection.query('rollback')
  } finally {
    await connection.end()
  }
}

test('SIGTERM under load: everything in flight is answered, nothing acknowledged is lost, and the exit code is 0', async () => {
  onTestFailed(() => console.error(installation.readLogs()))
  const [shop, neighbour] = await Promise.all([
    openShop(installation, { name: 'drained', fundsGhs: '100000.00' }),
    openShop(installation, { name: 'neighbour', fundsGhs: '100000.00' }),
  ])
  // No call waits longer than three seconds in the intake, so the machine must be quick meanwhile.
  const observed = await observeUndisturbed(async (round) => {
    try {
      return await drain(`drained-${round}`, shop, neighbour)
    } finally {
      await installation.heal()
    }
  })
  expect(observed).toEqual({ exitCode: 0, statuses: Array.from({ length: drainedCalls }, () => 200) })
})

const drainedCalls = 64

/** A round that took longer is repeated, because its calls may have waited longer than the intake lets them. */
const heldMillisecondsMax = 2_000

/**
 * Sends purchases to a process, and stops it while all of them wait in its intake. Returns their answers and the exit code,
 * or undefined if the machine was too slow.
 */
async function drain(name: string, shop: Shop, neighbour: Shop) {
  const placing = openPlacing(name)
  const [api, other] = installation.apis as [ApiProcess, ApiProcess]
  const calls: DataCall[] = []
  const inFlight: Promise<Outcome>[] = []
  let ended: Promise<number | null> | undefined
  // Opens the connections first, so that the requests below reach the process at once.
  await openConnections(shop, api, 64)
  const heldAt = performance.now()
  await whileWalletIsHeld(shop, async () => {
    const [begun] = await installation.query<{ at: string }>('select clock_timestamp()::text as at')
    for (let no = 0; no < drainedCalls; no += 1) calls.push(singleCall(shop, makeDataBody(`${name}-${no}`)))
    for (const call of calls) inFlight.push(placeOnce(placing, api, call))
    // A call that finds the wallet busy is soon followed by others on the same connection, so any statement counts.
    await waitUntil('the intake has asked the database', async () => {
      const rows = await installation.query(
        `select from pg_stat_activity where application_name like 'makola intake%' and query_start >= $1::timestamptz`,
        [begun?.at],
      )
      return rows.length > 0
    })
    // No sign outside the process shows that a request waits in it. But requests sent after the 64, for an account that
    // waits for nobody, are answered after all of them have reached the intake.
    await placeUntilDefinite({ ...placing, apis: [api] }, singleCall(neighbour, makeDataBody(`${name}-neighbour`)))
    ended = api.terminate()
    await waitUntil('the process is stopping', async () => {
      const look = await client.ask({ url: `${api.url}/readyz` })
      return statusOf(look) !== 200
    })
  })
  const heldMilliseconds = performance.now() - heldAt
  const statuses = (await Promise.all(inFlight)).map(statusOf)

  // The other process continues alone, and knows every acknowledged order.
  const acknowledged = statuses.flatMap((status, no) => (status === 200 ? [`${name}-${no}`] : []))
  const look = (reference: string) => client.ask({ url: `${other.url}/api/v2/orders/${reference}`, key: shop.key })
  await waitUntil('the other process knows every acknowledged order', async () => {
    const answers = await Promise.all(acknowledged.map(look))
    return answers.every((answer) => statusOf(answer) === 200)
  })
  await Promise.all(calls.map((call) => placeUntilDefinite({ ...placing, apis: [other] }, call)))
  expect(await findJournalBreaches(installation, placing.journal, `${name}-`)).toEqual([])
  return heldMilliseconds > heldMillisecondsMax ? undefined : { exitCode: await ended, statuses }
}

test('requests that arrive all the time while a process is told to stop: each 200 is kept, everything else can be sent again', async () => {
  onTestFailed(() => console.error(installation.readLogs()))
  const shop = await openShop(installation, { name: 'rolling', fundsGhs: '100000.00' })
  const placing = openPlacing('rolling')
  const [api] = installation.apis as [ApiProcess]
  // The stop comes in the middle of the load.
  const stopping = sleep(700)
    .then(() => api.terminate())
    .then(async (exitCode) => {
      await api.start()
      return exitCode
    })
  await sendInBursts({ seconds: 3, size: 10, everyMilliseconds: 100 }, (no) =>
    placeUntilDefinite(placing, singleCall(shop, makeDataBody(`rolling-${no}`)), no),
  )
  expect(await stopping).toBe(0)
  expect(await findJournalBreaches(installation, placing.journal)).toEqual([])
})
