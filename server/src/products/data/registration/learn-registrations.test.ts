import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../../test/test-database.ts'
import type { RegistrationSupplier } from '../../../suppliers/registration-port.ts'
import { createKnownRegistrations } from './known-registrations.ts'
import { learnRegistrations, type RegistrationDeps } from './learn-registrations.ts'
import type { RegistrationServers } from './registration-servers.ts'
import { createStubRegistrationServer } from './stub-registration-server.fixture.ts'
import { probeNumber, type ServerWatch, watchRegistrationServers } from './watch-registration-servers.ts'

let database: TestDatabase
const watches: ServerWatch[] = []
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(async () => {
  await Promise.all(watches.map((watch) => watch.stop()))
  await database.drop()
})

const log = { info: () => undefined, warn: () => undefined, error: () => undefined }

function depsWith(supplier: RegistrationSupplier): RegistrationDeps {
  const servers: RegistrationServers = {
    listAccepted: () => Promise.resolve([{ server: 1, supplier }]),
    read: (server) => Promise.resolve({ server, supplier }),
  }
  const watch = watchRegistrationServers({ db: database.db, log, servers })
  watches.push(watch)
  return { db: database.db, log, known: createKnownRegistrations(database.db), servers, watch }
}

it('a purchase asks about 20 numbers at once, waits 3 s for a call and 6 s for all, and lets the unknown ones pass', async () => {
  const server = createStubRegistrationServer()
  server.silentAbout = () => true
  const wanted = Array.from({ length: 100 }, (_, index) => ({
    number: `024${String(index).padStart(7, '0')}`,
    reference: `silent-${index}`,
  }))
  const learnt = await learnRegistrations(depsWith(server.supplier), wanted)
  expect(new Set(wanted.map(({ number }) => learnt.of(number)))).toEqual(new Set(['unknown']))
  expect(server.load.questions.most).toBe(20)
  // Two rounds of 3 s fit into 6 s, and perhaps a few calls that are given up as soon as they begin.
  const asked = server.asked.filter((number) => number !== probeNumber)
  expect(asked.length).toBeGreaterThanOrEqual(40)
  expect(asked.length).toBeLessThanOrEqual(60)
  expect(server.load.questions.now).toBe(0)
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
  const known = createKnownRegistrations(database.db)
  const answers = await Promise.all(
    ['0240000001', '0240000002', '0240000003'].map(async (number) =>
      (await known({ numbers: [number], references: [] })).registeredOn.get(number),
    ),
  )
  expect(answers).toEqual([new Set([1]), undefined, undefined])
})
