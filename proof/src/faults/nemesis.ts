import { setTimeout as sleep } from 'node:timers/promises'
import type { Installation } from '../installation.ts'
import type { ManagedProcess } from '../managed-process.ts'
import type { Random } from '../random.ts'

/** A fault that ends by itself. `strike` resolves when it is over; a database may still be recovering then. */
export type Fault = { readonly name: string; readonly strike: (random: Random) => Promise<void> }

/** The longest time for which a process stays killed or paused. */
const absenceMillisecondsMax = 800
const pauseMillisecondsMax = 1_500

/** Longer than the wait for a statement's answer, so that some statements are given up and succeed later. */
const freezeMillisecondsMax = 6_000

function killOne(what: string, choices: readonly ManagedProcess[]): Fault {
  return {
    name: `kill ${what}`,
    async strike(random) {
      const victim = random.pick(choices)
      const absence = random.between(0, absenceMillisecondsMax)
      await victim.kill()
      await sleep(absence)
      await victim.start()
    },
  }
}

function pauseOne(what: string, choices: readonly ManagedProcess[]): Fault {
  return {
    name: `pause ${what}`,
    async strike(random) {
      const victim = random.pick(choices)
      const milliseconds = random.between(50, pauseMillisecondsMax)
      victim.pause()
      await sleep(milliseconds)
      victim.resume()
    },
  }
}

/** Faults that an installation must survive. */
export const faultsOf = (installation: Installation) => {
  const { apis, workers, simulator, database } = installation
  return {
    killApi: killOne('an API', apis),
    killWorker: killOne('a worker', workers),
    killSimulator: killOne('the simulator', [simulator]),
    pauseApi: pauseOne('an API', apis),
    pauseWorker: pauseOne('a worker', workers),
    killDatabase: { name: 'kill the database', strike: () => database.kill() },
    killSession: {
      name: 'kill a session of the database',
      strike: (random: Random) => database.killOneSession((sessions) => random.pick(sessions)).catch(() => undefined),
    },
    freezeSession: {
      name: 'freeze a session of the database',
      async strike(random: Random) {
        await database.freezeOneSession((sessions) => random.pick(sessions)).catch(() => undefined)
        await sleep(random.between(50, freezeMillisecondsMax))
        await database.resume()
      },
    },
    pauseDatabase: {
      name: 'pause the database',
      async strike(random: Random) {
        // If the database is down at this moment, there is no session to pause.
        await database.pause().catch(() => undefined)
        await sleep(random.between(50, pauseMillisecondsMax))
        await database.resume()
      },
    },
  } satisfies Record<string, Fault>
}

export type Nemesis = {
  /** Events with their milliseconds since the start. */
  readonly history: readonly string[]
  /** In milliseconds since 1970. */
  readonly startedAt: number
  /**
   * Begins no further fault once there were enough, and waits until every `strike` has resolved. Rejects when a process did not
   * start again. `history` shows this failure too, because the test may fail before this call.
   */
  stop(): Promise<void>
}

export type NemesisOptions = {
  /** No fault begins later than this. */
  readonly seconds: number
  readonly random: Random
  /** A fault that is listed twice happens twice as often. */
  readonly faults: readonly Fault[]
  /** Time between the beginnings of two faults, which may overlap. */
  readonly pauseMilliseconds: readonly [shortest: number, longest: number]
  /** Resolves when all waiting requests have been served. A long run pauses for it after each spell of faults. */
  readonly untilServed: () => Promise<void>
}

/**
 * Length of a spell of faults. Faults come faster than a slow machine can start everything again; without pauses, a long run
 * would only show that a stopped platform serves nobody.
 */
const spellSeconds = 12

/** At least this many faults begin, even when the machine was paused nearly all the time. */
const faultsMin = 5

/** Strikes at random until it is stopped or its time is over. */
export function startNemesis(options: NemesisOptions): Nemesis {
  const { seconds, random, faults, pauseMilliseconds, untilServed } = options
  const history: string[] = []
  const startedAt = performance.now()
  const striking: Promise<void>[] = []
  const stopping = new AbortController()

  const elapsed = () => Math.round(performance.now() - startedAt)

  async function run(): Promise<void> {
    let spellEnd = spellSeconds * 1_000
    const isTimeLeft = () => !stopping.signal.aborted && elapsed() < seconds * 1_000
    while (isTimeLeft() || striking.length < faultsMin) {
      if (elapsed() > spellEnd) {
        await Promise.all(striking)
        await untilServed()
        history.push(`${elapsed()} ms: all are served`)
        spellEnd = elapsed() + spellSeconds * 1_000
      }
      await sleep(random.between(...pauseMilliseconds), undefined, { signal: stopping.signal }).catch(() => undefined)
      if (stopping.signal.aborted && striking.length >= faultsMin) return
      const fault = random.pick(faults)
      history.push(`${elapsed()} ms: ${fault.name}`)
      const strike = fault.strike(random)
      striking.push(strike)
      strike.catch((error: unknown) => history.push(`${elapsed()} ms: ${fault.name}: ${String(error)}`))
    }
  }

  const running = run()
  running.catch(() => undefined) // `stop` reports the failure
  return {
    history,
    startedAt: Date.now(),
    async stop() {
      stopping.abort()
      await running
      await Promise.all(striking)
    },
  }
}
