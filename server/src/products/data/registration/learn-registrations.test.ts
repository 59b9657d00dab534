import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { untilTrue } from '../../../../test/patience.ts'
import { createTestDatabase, type TestDatabase } from '../../../../test/test-database.ts'
import { watchEpoch } from '../../../platform/database/epoch.ts'
import type { RegistrationSupplier } from '../../../suppliers/registration-port.ts'
import { createKnownRegistrations } from './known-registrations.ts'
import { learnRegistrations, type RegistrationDeps } from './learn-registrations.ts'
import { openStateRecord } from './record-states.ts'
import { createRegistrationMemory } from './registration-memory.ts'
import type { RegistrationServers } from './registration-servers.ts'
import { createStubRegistrationServer, type StubRegistrationServer } from './stub-registration-server.fixture.ts'
import { probeNumber, watchRegistrationServers } from './watch-registration-servers.ts'

let database: TestDatabase
const opened: { readonly stop: () => Promise<void> }[] = []
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(async () => {
  await Promise.all(opened.map(({ stop }) => stop()))
  await database.drop()
})

const log = { info: () => undefined, warn: vi.fn(), error: () => undefined }

/** Opens the parts of an API process that deal with registrations. */
async function openProcess(supplier: RegistrationSupplier, db = database.db) {
  const servers: RegistrationServers = {
    listAccepted: () => Promise.resolve([{ server: 1, supplier }]),
    read: (server) => Promise.resolve({ server, supplier }),
    peekAccepted: () => [1],
  }
  const epoch = await watchEpoch(database.db)
  const memory = createRegistrationMemory(epoch)
  const watch = watchRegistrationServers({ db, log, servers })
  const { record, written } = openStateRecord({ db, log, memory })
  const deps: RegistrationDeps = { log, servers, watch, memory, record, known: createKnownRegistrations(db, memory) }
  opened.push({
    stop: async () => {
      await Promise.all([watch.stop(), written()])
      epoch.stop()
    },
  })
  return { deps, epoch, written }
}

/** Stops the clock. Otherwise a `registered` could wait so long on a slow machine that it would not be stored. */
function stopClock(): void {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now())
  onTestFinished(() => clock.mockRestore())
}

let references = 0
const want = (number: string) => ({ number, reference: `learn-${++references}` })
const learn = async ({ deps }: { deps: RegistrationDeps }, number: string) =>
  (await learnRegistrations(deps, [want(number)])).of(number)
const stored = async (number: string) =>
  (await database.db.selectFrom('registrations').select('server').where('number', '=', number).execute()).length
const timesAsked = (server: StubRegistrationServer, number: string) => server.asked.filter((asked) => asked === number).length

it('a purchase asks about 20 numbers at once, waits 3 s for a call and 6 s for all, and lets the unknown ones pass', async () => {
  const server = createStubRegistrationServer()
  server.silentAbout = () => true
  const wanted = Array.from({ length: 100 }, (_, index) => ({
    number: `024${String(index).padStart(7, '0')}`,
    reference: `silent-${index}`,
  }))
  const { deps } = await openProcess(server.supplier)
  const asked = () => server.asked.filter((number) => number !== probeNumber).length
  // The clock moves only when the test moves it, so that a busy machine uses up none of the six seconds.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  let isOver = false
  const learning = learnRegistrations(deps, wanted).finally(() => {
    isOver = true
  })
  await untilTrue(
    async () => {
      await vi.advanceTimersByTimeAsync(1)
      return asked() > 0
    },
    () => 'nobody was asked',
  )
  const seen: unknown[] = []
  for (const milliseconds of [2_900, 200, 2_700, 300]) {
    await vi.advanceTimersByTimeAsync(milliseconds)
    seen.push([asked(), isOver])
  }
  expect(seen).toEqual([
    [20, false],
    [40, false],
    [40, false],
    [40, true],
  ])
  const learnt = await learning
  expect(new Set(wanted.map(({ number }) => learnt.of(number)))).toEqual(new Set(['unknown']))
  expect(server.load.questions).toEqual({ now: 0, most: 20 })
})

it('questions that come while one is being answered share the next statement and each gets its own answer', async () => {
  await database.db
    .insertInto('registrations')
    .values(
      ['0240000001', '0240000002'].map(
        (number, index) => ({ number, server: 1, state: index ? 'pending' : 'registered' }) as const,
      ),
    )
    .execute()
  const { deps } = await openProcess(createStubRegistrationServer().supplier)
  const answers = await Promise.all(
    ['0240000001', '0240000002', '0240000003'].map(async (number) =>
      (await deps.known({ numbers: [number], references: [] })).registeredOn.get(number),
    ),
  )
  expect(answers).toEqual([new Set([1]), undefined, undefined])
})

it('a yes is remembered at once and written later, and what was heard last is what is kept', async () => {
  stopClock()
  const server = createStubRegistrationServer()
  const mine = await openProcess(server.supplier)
  expect(await learn(mine, '0240000011')).toBe('registered')
  expect(await learn(mine, '0240000011')).toBe('registered')
  expect(timesAsked(server, '0240000011')).toBe(1)
  await mine.written()
  expect(await stored('0240000011')).toBe(1)
  void mine.deps.record('0240000012', new Map([[1, 'not_registered']]))
  void mine.deps.record('0240000012', new Map([[1, 'registered']]))
  void mine.deps.record('0240000013', new Map([[1, 'registered']]))
  await mine.deps.record('0240000013', new Map([[1, 'pending']]))
  await mine.written()
  expect([await stored('0240000012'), await stored('0240000013')]).toEqual([1, 0])
})

it('a yes that one process takes back is forgotten by every other one when it next looks at the epoch', async () => {
  stopClock()
  const server = createStubRegistrationServer()
  const [mine, other] = [await openProcess(server.supplier), await openProcess(server.supplier)]
  await learn(mine, '0240000021')
  await mine.written()
  await mine.deps.record('0240000021', new Map([[1, 'unavailable']]))
  await Promise.all([mine, other].map((one) => learn(one, '0240000021')))
  expect(timesAsked(server, '0240000021')).toBe(1)
  const before = mine.epoch.current()?.epoch
  await other.deps.record('0240000021', new Map([[1, 'not_registered']]))
  await mine.epoch.refresh()
  expect(mine.epoch.current()?.epoch).not.toBe(before)
  await learn(mine, '0240000021')
  expect(timesAsked(server, '0240000021')).toBe(2)
})

it('a number that was never registered moves no epoch when it is asked about', async () => {
  const { deps, epoch } = await openProcess(createStubRegistrationServer().supplier)
  await epoch.refresh()
  const before = epoch.current()?.epoch
  await deps.record('0240000031', new Map([[1, 'not_registered']]))
  await epoch.refresh()
  expect(epoch.current()?.epoch).toBe(before)
})

it('a yes that could not be written is forgotten, changes no answer, and no purchase waits for it', async () => {
  const server = createStubRegistrationServer()
  const away = await createTestDatabase()
  const mine = await openProcess(server.supplier, away.db)
  await sql`revoke insert on registrations from makola_app`.execute(away.ownerDb)
  await mine.deps.record('0240000041', new Map([[1, 'registered']]))
  await mine.deps.record('0240000042', new Map([[1, 'not_registered']]))
  await mine.written()
  expect(log.warn).toHaveBeenCalledWith(expect.anything(), 'registrations could not be remembered')
  expect(await learn(mine, '0240000041')).toBe('registered')
  expect(timesAsked(server, '0240000041')).toBe(1)
  await opened.pop()?.stop()
  await away.drop()
})

it('a yes that waited longer than a second is neither stored nor remembered, because another process may have a newer no', async () => {
  const server = createStubRegistrationServer()
  const mine = await openProcess(server.supplier)
  void mine.deps.record('0240000051', new Map([[1, 'registered']]))
  const now = performance.now.bind(performance)
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + 1_001)
  await mine.written()
  clock.mockRestore()
  expect(await stored('0240000051')).toBe(0)
  await learn(mine, '0240000051')
  expect(timesAsked(server, '0240000051')).toBe(1)
})
