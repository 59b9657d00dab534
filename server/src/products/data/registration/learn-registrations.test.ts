import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../../test/test-database.ts'
import { pesewas } from '../../../money/pesewas.ts'
import type { RegistrationAnswer, RegistrationSupplier } from '../../../suppliers/registration-port.ts'
import { openKnownRegistrations } from './known-registrations.ts'
import { learnRegistrations, type RegistrationDeps } from './learn-registrations.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

type Load = { asked: number; inFlight: number; inFlightMax: number }

/** A server that is silent until it is given up on. */
function openSilentServer(load: Load): RegistrationSupplier {
  const untilGivenUp = (_number: string, signal: AbortSignal) => {
    load.asked += 1
    load.inFlight += 1
    load.inFlightMax = Math.max(load.inFlightMax, load.inFlight)
    return new Promise<RegistrationAnswer>((resolve) => {
      signal.addEventListener('abort', () => {
        load.inFlight -= 1
        resolve({ meaning: 'unavailable', evidence: 'silent' })
      })
    })
  }
  return {
    name: 'silent',
    resendClass: 'none',
    resendSafeSeconds: null,
    askSchedule: { delaysSeconds: [1], maximumInFlightSeconds: 1, raiseAfterSeconds: 1 },
    probeSeconds: 1,
    minimumFloatPesewas: pesewas(0),
    freeSlots: () => 1_000,
    askStatus: () => Promise.resolve({ meaning: 'unknown', evidence: '' }),
    readFloat: () => Promise.resolve({ meaning: 'unknown', evidence: '' }),
    close: () => Promise.resolve(),
    checkRecipient: untilGivenUp,
    submitRecipient: untilGivenUp,
  }
}

function depsWith(supplier: RegistrationSupplier): RegistrationDeps {
  return {
    db: database.db,
    log: { warn: () => undefined },
    known: openKnownRegistrations(database.db),
    servers: {
      listAccepted: () => Promise.resolve([{ server: 1, supplier }]),
      read: (server) => Promise.resolve({ server, supplier }),
    },
  }
}

it('a purchase asks about 20 numbers at once, waits 3 s for a call and 6 s for all, and lets the unknown ones pass', async () => {
  const load: Load = { asked: 0, inFlight: 0, inFlightMax: 0 }
  const wanted = Array.from({ length: 100 }, (_, index) => ({
    number: `024${String(index).padStart(7, '0')}`,
    reference: `silent-${index}`,
  }))
  const learnt = await learnRegistrations(depsWith(openSilentServer(load)), wanted)
  expect(new Set(wanted.map(({ number }) => learnt.of(number)))).toEqual(new Set(['unknown']))
  expect(load.inFlightMax).toBe(20)
  // Two rounds of 3 s fit into 6 s, and perhaps a few calls that are given up as soon as they begin.
  expect(load.asked).toBeGreaterThanOrEqual(40)
  expect(load.asked).toBeLessThanOrEqual(60)
  expect(load.inFlight).toBe(0)
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
  const known = openKnownRegistrations(database.db)
  const answers = await Promise.all(
    ['0240000001', '0240000002', '0240000003'].map(async (number) =>
      (await known({ numbers: [number], references: [] })).states.get(number),
    ),
  )
  expect(answers.map((states) => states?.get(1))).toEqual(['registered', 'pending', undefined])
})
