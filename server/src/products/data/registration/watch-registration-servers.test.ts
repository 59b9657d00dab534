import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { anHour, sleepToProveAbsence } from '../../../../test/patience.ts'
import { createTestDatabase, type TestDatabase } from '../../../../test/test-database.ts'
import { inTransaction } from '../../../platform/database/in-transaction.ts'
import { openMetrics } from '../../../platform/metrics/open-metrics.ts'
import { askServers } from './ask-servers.ts'
import { createKnownRegistrations } from './known-registrations.ts'
import { learnRegistrations, type RegistrationDeps } from './learn-registrations.ts'
import { clearForgottenAwayAlarms } from './raise-away-alarm.ts'
import { openStateRecord, type StateRecord } from './record-states.ts'
import { createRegistrationMemory } from './registration-memory.ts'
import type { RegistrationServers } from './registration-servers.ts'
import { eventually } from './registration-shop.fixture.ts'
import { createStubRegistrationServer, type StubRegistrationServer } from './stub-registration-server.fixture.ts'
import { probeNumber, type ServerWatch, watchRegistrationServers } from './watch-registration-servers.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const times = { probeMilliseconds: 40, probeMillisecondsMax: 160, answerMillisecondsMax: 60, alarmMilliseconds: anHour }
const everything = () => true
const nothing = () => false

let server: StubRegistrationServer
let servers: RegistrationServers
let watch: ServerWatch
let states: StateRecord
let metrics: ReturnType<typeof openMetrics>
let lines: string[]
let deps: RegistrationDeps
let numbers = 0

function write(_fields: object, message: string): void {
  lines.push(message)
}
const log = { info: write, warn: write, error: write } as unknown as Parameters<typeof watchRegistrationServers>[0]['log']

beforeEach(() => {
  times.alarmMilliseconds = anHour
  lines = []
  server = createStubRegistrationServer()
  servers = {
    listAccepted: async () => [await servers.read(1)],
    read: (no) => Promise.resolve({ server: no, supplier: server.supplier }),
    peekAccepted: () => [1],
  }
  metrics = openMetrics('api')
  watch = watchRegistrationServers({ db: database.db, log, servers, metrics }, times)
  const { db } = database
  const memory = createRegistrationMemory({ current: () => undefined })
  states = openStateRecord({ db, log, memory })
  deps = { log, servers, watch, memory, record: states.record, known: createKnownRegistrations(db, memory) }
})
afterEach(async () => {
  await Promise.all([watch.stop(), states.written()])
  await database.ownerDb.deleteFrom('alarms').execute()
})

/** Waits longer than a probe would take to come and to fail. No event shows that no probe comes. */
const waitLongerThanAProbe = () => sleepToProveAbsence(2 * times.answerMillisecondsMax)

/** Lets a probe end that is answered at once. */
const turn = () => new Promise(setImmediate)

const newNumber = () => `0241${String(++numbers).padStart(6, '0')}`

/** Asks live about a number, as a check of it does, but gives up sooner. */
async function ask(number = newNumber()) {
  const accepted = await servers.listAccepted()
  const answer = await server.supplier.checkRecipient(number, { milliseconds: 20 })
  for (const asked of accepted) watch.record(asked, number, answer)
}

const isAway = async () => watch.isAway(await servers.read(1))
const probes = () => server.asked.filter((number) => number === probeNumber).length
const openAlarms = async () => {
  const rows = await database.db.selectFrom('alarms').select(['name', 'subject']).where('cleared_at', 'is', null).execute()
  return rows.map(({ name, subject }) => `${name}:${subject}`).join()
}
const gauge = async () => /makola_registration_server_away\{server="1",role="api"\} (\d)/.exec(await metrics.read())?.[1]

async function goAway(): Promise<void> {
  server.silentAbout = everything
  for (let asked = 0; asked < 3; asked += 1) await ask()
  await eventually(isAway, true)
}

describe('a registration server', () => {
  it('is away when three different numbers in a row, and then a probe, were not answered', async () => {
    server.silentAbout = everything
    await ask()
    await ask()
    await waitLongerThanAProbe()
    expect([probes(), await isAway()]).toEqual([0, false])
    await ask()
    expect([probes(), await isAway()]).toEqual([1, false])
    await eventually(isAway, true)
  })

  it('is not away when one number alone goes unanswered, however often', async () => {
    server.silentAbout = everything
    const number = newNumber()
    for (let asked = 0; asked < 5; asked += 1) await ask(number)
    await waitLongerThanAProbe()
    expect([probes(), await isAway()]).toEqual([0, false])
  })

  it('is not away when any answer came in between', async () => {
    for (const isSilent of [true, true, false, true, true]) {
      server.silentAbout = isSilent ? everything : nothing
      await ask()
    }
    await waitLongerThanAProbe()
    expect([probes(), await isAway()]).toEqual([0, false])
  })

  it('is not away when it is silent about many numbers but answers a probe', async () => {
    server.silentAbout = (number) => number !== probeNumber
    for (let asked = 0; asked < 12; asked += 1) {
      await ask()
      await turn()
    }
    expect(await isAway()).toBe(false)
    expect(probes()).toBe(4)
  })

  it('is not away when those who asked gave up before its time was over', async () => {
    server.silentAbout = everything
    for (const limit of [() => ({ signal: AbortSignal.timeout(10) }), () => ({ milliseconds: 10 })]) {
      for (let asked = 0; asked < 4; asked += 1) await askServers(deps, await servers.listAccepted(), newNumber(), limit())
    }
    await waitLongerThanAProbe()
    expect([probes(), await isAway()]).toEqual([0, false])
  })

  it('that is away is asked by one probe at a time and nobody else, while 100 purchases of unknown numbers pass at once', async () => {
    await goAway()
    const before = server.asked.length
    const learnt = await Promise.all(
      Array.from({ length: 100 }, async (_, index) => {
        const number = newNumber()
        return (await learnRegistrations(deps, [{ number, reference: `away-${index}` }])).of(number)
      }),
    )
    expect(new Set(learnt)).toEqual(new Set(['unknown']))
    const [probed, since] = [probes(), performance.now()]
    await eventually(async () => probes() >= probed + 4, true)
    // At least 80, 160 and 160 ms apart, give or take a quarter, beside the 60 ms that every probe waits.
    expect(performance.now() - since).toBeGreaterThan(450)
    // A purchase that waited for the server would have asked it.
    expect(new Set(server.asked.slice(before))).toEqual(new Set([probeNumber]))
    expect(server.load.probes.most).toBe(1)
  })

  it('that was away is back by itself, and purchases ask it again', async () => {
    await goAway()
    server.silentAbout = nothing
    await eventually(isAway, false)
    const number = newNumber()
    const learnt = await learnRegistrations(deps, [{ number, reference: 'back' }])
    expect(learnt.of(number)).toBe('registered')
  })

  it('that was away is back as soon as anybody who asks live is answered', async () => {
    await goAway()
    const before = probes()
    await eventually(async () => probes() > before, true)
    server.silentAbout = (number) => number === probeNumber
    await ask()
    expect(await isAway()).toBe(false)
  })

  it('whose supplier was changed is a new one', async () => {
    await goAway()
    server = createStubRegistrationServer('another')
    expect(await isAway()).toBe(false)
    expect(await gauge()).toBe('0')
  })
})

describe('of a server that goes away, an operator', () => {
  it('reads one line when it falls silent, one when it is away and one when it is back, however many numbers are asked about', async () => {
    await goAway()
    for (let asked = 0; asked < 20; asked += 1) await ask()
    server.silentAbout = nothing
    await eventually(isAway, false)
    for (let asked = 0; asked < 5; asked += 1) await ask()
    expect(lines.filter((line) => line.startsWith('a registration server'))).toEqual([
      'a registration server gave no answer',
      'a registration server is away; purchases do not ask it',
      'a registration server is back',
    ])
  })

  it('has an alarm when it stays away, until it is back; a short absence raises none', async () => {
    await goAway()
    const before = probes()
    await eventually(async () => probes() >= before + 2, true)
    expect(await openAlarms()).toBe('')
    times.alarmMilliseconds = 1
    await eventually(openAlarms, 'registration_server_away:1')
    server.silentAbout = nothing
    await eventually(openAlarms, '')
    times.alarmMilliseconds = anHour
    await goAway()
    server.silentAbout = nothing
    await eventually(isAway, false)
    // Waits until an alarm that is being raised is stored.
    await watch.stop()
    const raised = await database.db.selectFrom('alarms').select('id').where('name', '=', 'registration_server_away').execute()
    expect(raised).toHaveLength(1)
  })

  it('is probed on while the database is slow to store its alarm, and is back as soon as it answers', async () => {
    times.alarmMilliseconds = 1
    const writing = await inTransaction(database.ownerDb, async (tx) => {
      await sql`lock table alarms in exclusive mode`.execute(tx)
      await goAway()
      // Longer than the longest pause between two probes.
      await sleepToProveAbsence(4 * times.probeMillisecondsMax)
      return { probed: probes() }
    })
    await eventually(async () => probes() > writing.probed + 1, true)
    server.silentAbout = nothing
    await eventually(openAlarms, '')
    expect(await isAway()).toBe(false)
  })

  it('has the alarm cleared also when the process that raised it is gone', async () => {
    times.alarmMilliseconds = 1
    await goAway()
    await eventually(openAlarms, 'registration_server_away:1')
    await watch.stop()
    await clearForgottenAwayAlarms(database.db)
    expect(await openAlarms()).toBe('registration_server_away:1')
    await database.db
      .updateTable('alarms')
      .set({ last_seen_at: new Date(Date.now() - 200_000) })
      .where('name', '=', 'registration_server_away')
      .execute()
    await clearForgottenAwayAlarms(database.db)
    expect(await openAlarms()).toBe('')
  })

  it('sees it in the metrics', async () => {
    expect(await gauge()).toBe('0')
    await goAway()
    expect(await gauge()).toBe('1')
    server.silentAbout = nothing
    await eventually(isAway, false)
    expect(await gauge()).toBe('0')
  })
})
